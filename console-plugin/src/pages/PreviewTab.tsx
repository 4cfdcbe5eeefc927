import type { PageComponentProps } from '@openshift-console/dynamic-plugin-sdk';

import { PreviewView } from '../preview/PreviewView';

/** The tab on a HyperConverged. */
export default function PreviewTab({ obj }: PageComponentProps) {
  return <PreviewView namespace={obj?.metadata?.namespace ?? DEFAULT_NAMESPACE} />;
}

const DEFAULT_NAMESPACE = 'openshift-cnv';
