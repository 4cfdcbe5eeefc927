import { DocumentTitle, ListPageHeader } from '@openshift-console/dynamic-plugin-sdk';
import { useSearchParams } from 'react-router';

import { PreviewView } from '../preview/PreviewView';
import { useText } from '../text';

/** The page under Virtualization. Another namespace than the product's can be named in the address. */
export default function PreviewPage() {
  const t = useText();
  const [params] = useSearchParams();
  return (
    <>
      <DocumentTitle>{t('page.title')}</DocumentTitle>
      <ListPageHeader title={t('page.title')} helpText={t('page.help')} />
      <PreviewView namespace={params.get('namespace') ?? 'openshift-cnv'} />
    </>
  );
}
