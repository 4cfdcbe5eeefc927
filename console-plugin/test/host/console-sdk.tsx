/**
 * Stands for the console's side of `@openshift-console/dynamic-plugin-sdk`: the same names and types, on the page's own
 * little implementation of what the console does behind them.
 */

import type * as sdk from '@openshift-console/dynamic-plugin-sdk';
import type { K8sModel, K8sResourceCommon, SelfSubjectAccessReviewKind, WatchK8sResource } from '@openshift-console/dynamic-plugin-sdk';
import { Title } from '@patternfly/react-core';
import { type ComponentType, type ReactNode, createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';

import { subscribe, watchStateOf } from './watches';

export class HttpError extends Error {
  constructor(
    message: string,
    public code?: number,
    public response?: Response,
    public json?: unknown,
  ) {
    super(message);
  }
}

/** Only what is not a GET carries the token, as in the console. */
export const consoleFetch: typeof sdk.consoleFetch = async (url, options = {}) => {
  const headers = new Headers(options.headers);
  if (options.method !== undefined && options.method !== 'GET') headers.set('X-CSRFToken', csrfToken());
  const response = await fetch(url, { credentials: 'same-origin', ...options, headers });
  if (response.ok) return response;
  // The console shows its log-in page then.
  if (response.status === 401) document.documentElement.dataset.loggedOut = 'true';
  const json: unknown = await response.json().catch(() => undefined);
  const message = (json as { message?: string } | undefined)?.message ?? response.statusText;
  throw new HttpError(message, response.status, response, json);
};

function csrfToken(): string {
  return /(?:^|; )csrf-token=([^;]*)/.exec(document.cookie)?.[1] ?? '';
}

const reviews = new Map<string, Promise<SelfSubjectAccessReviewKind>>();

export const checkAccess: typeof sdk.checkAccess = (attributes) => {
  const { group = '', resource = '', subresource = '', verb, name = '', namespace = '' } = attributes;
  const key = [group, resource, subresource, verb, name, namespace].join('~');
  const review = reviews.get(key) ?? ask({ group, resource, subresource, verb, name, namespace });
  reviews.set(key, review);
  return review;
};

async function ask(resourceAttributes: object): Promise<SelfSubjectAccessReviewKind> {
  const response = await consoleFetch('/api/kubernetes/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } }),
  });
  return (await response.json()) as SelfSubjectAccessReviewKind;
}

let models: Record<string, K8sModel> | undefined;
const discovered = consoleFetch('/host/models.json').then(async (response) => {
  models = (await response.json()) as Record<string, K8sModel>;
  return models;
});

const NO_MODELS: Record<string, K8sModel> = {};

export const useK8sModels: typeof sdk.useK8sModels = () => {
  const [known, setKnown] = useState(models);
  useEffect(() => {
    void discovered.then(setKnown);
  }, []);
  return [known ?? NO_MODELS, known === undefined];
};

export const useK8sWatchResources: typeof sdk.useK8sWatchResources = (resources) => {
  const written = JSON.stringify(resources);
  const [known, isDiscovering] = useK8sModels();
  const targets = useMemo(() => {
    const wanted = JSON.parse(written) as Record<string, WatchK8sResource>;
    return Object.entries(wanted).map(([key, resource]) => ({ key, resource, model: modelOf(known, resource) }));
  }, [written, known]);
  const store = useMemo(() => {
    const last = { version: '', results: {} as Record<string, unknown> };
    return {
      subscribe: (listener: () => void) => {
        const ends = targets.flatMap(({ resource, model }) => (model ? [subscribe(model, resource, listener)] : []));
        return () => { for (const end of ends) end(); };
      },
      read: () => {
        const states = targets.map(({ resource, model }) => (model ? watchStateOf(model, resource) : undefined));
        const version = states.map((state) => state?.version ?? 0).join(',');
        if (version !== last.version || Object.keys(last.results).length !== targets.length) {
          const results = targets.map(({ key, resource }, index) => {
            const state = states[index];
            const nothing = resource.isList === true ? [] : {};
            if (!state) return [key, { data: nothing, loaded: !isDiscovering, loadError: isDiscovering ? undefined : new Error('Model does not exist') }];
            return [key, { data: state.data ?? nothing, loaded: state.loaded, loadError: state.loadError }];
          });
          last.version = version;
          last.results = Object.fromEntries(results) as Record<string, unknown>;
        }
        return last.results;
      },
    };
  }, [targets, isDiscovering]);
  return useSyncExternalStore(store.subscribe, store.read) as never;
};

function modelOf(known: Record<string, K8sModel>, { groupVersionKind }: WatchK8sResource): K8sModel | undefined {
  return Object.values(known).find(
    (model) =>
      model.kind === groupVersionKind?.kind && (model.apiGroup ?? '') === (groupVersionKind.group ?? '') && model.apiVersion === groupVersionKind.version,
  );
}

type Launch = (component: ComponentType<never>, props: object) => void;
const Overlays = createContext<Launch>(() => undefined);

export const useOverlay: typeof sdk.useOverlay = () => useContext(Overlays) as never;

export function OverlayProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<{ id: number; Component: ComponentType<never>; props: object }[]>([]);
  const [launch] = useState<Launch>(() => (Component: ComponentType<never>, props: object) => {
    setOpen((all) => [...all, { id: (all.at(-1)?.id ?? 0) + 1, Component, props }]);
  });
  return (
    <Overlays.Provider value={launch}>
      {open.map(({ id, Component, props }) => {
        const Overlay = Component as ComponentType<object>;
        return <Overlay key={id} {...props} {...{ closeOverlay: () => { setOpen((all) => all.filter((other) => other.id !== id)); } }} />;
      })}
      {children}
    </Overlays.Provider>
  );
}

export function CodeEditor({ value, onChange, minHeight }: { value?: string; onChange?: (value: string) => void; minHeight?: string }) {
  return (
    <textarea
      aria-label="Code editor"
      spellCheck={false}
      style={{ width: '100%', minHeight, fontFamily: 'monospace' }}
      value={value}
      onChange={(event) => onChange?.(event.target.value)}
    />
  );
}

export function DocumentTitle({ children }: { children: string }) {
  useEffect(() => {
    document.title = children;
  }, [children]);
  return null;
}

export function ListPageHeader({ title, helpText }: { title: string; helpText?: ReactNode }) {
  return (
    <div style={{ padding: '24px 24px 0' }}>
      <Title headingLevel="h1">{title}</Title>
      <p>{helpText}</p>
    </div>
  );
}

export type { K8sResourceCommon };
