/** The page's watches: a read, then a socket that tells of changes; after a fault or a drop all of it anew. */

import type { K8sModel, K8sResourceCommon, WatchK8sResource } from '@openshift-console/dynamic-plugin-sdk';

import { consoleFetch } from './console-sdk';

export interface WatchState {
  data: K8sResourceCommon | K8sResourceCommon[] | undefined;
  loaded: boolean;
  loadError: unknown;
  version: number;
}

interface Watch {
  state: WatchState;
  listeners: Set<() => void>;
  end: () => void;
}

/** The console takes half a minute; tests need not. */
const RETRY_MS = 400;

const watches = new Map<string, Watch>();
const PENDING: WatchState = { data: undefined, loaded: false, loadError: undefined, version: 0 };
let versions = 0;

export function watchStateOf(model: K8sModel, resource: WatchK8sResource): WatchState {
  return watches.get(idOf(model, resource))?.state ?? PENDING;
}

export function subscribe(model: K8sModel, resource: WatchK8sResource, listener: () => void): () => void {
  const id = idOf(model, resource);
  const watch = watches.get(id) ?? begin(model, resource);
  watches.set(id, watch);
  watch.listeners.add(listener);
  return () => {
    watch.listeners.delete(listener);
    if (watch.listeners.size > 0) return;
    watch.end();
    watches.delete(id);
  };
}

function idOf(model: K8sModel, { name, namespace, isList, selector }: WatchK8sResource): string {
  return JSON.stringify([model.apiGroup, model.apiVersion, model.plural, namespace, name, isList, selector]);
}

function begin(model: K8sModel, resource: WatchK8sResource): Watch {
  let isOver = false;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch: Watch = {
    state: PENDING,
    listeners: new Set(),
    end: () => {
      isOver = true;
      socket?.close();
      clearTimeout(timer);
    },
  };
  const tell = (state: Omit<WatchState, 'version'>) => {
    versions += 1;
    watch.state = { ...state, version: versions };
    for (const listener of watch.listeners) listener();
  };
  const again = () => {
    if (!isOver) timer = setTimeout(read, RETRY_MS);
  };
  const read = () => {
    if (isOver) return;
    consoleFetch(urlOf(model, resource))
      .then((response) => response.json())
      .then((body: K8sResourceCommon & { items?: K8sResourceCommon[] }) => {
        if (isOver) return;
        const data = resource.isList === true ? (body.items ?? []) : body;
        tell({ data, loaded: true, loadError: '' });
        socket = new WebSocket(watchUrlOf(model, resource));
        socket.addEventListener('message', ({ data: text }: MessageEvent<string>) => {
          const { type, object } = JSON.parse(text) as { type: string; object: K8sResourceCommon };
          // So that a test can wait for an event that changes nothing on the page.
          document.documentElement.dataset.event = `${type} ${object.metadata?.name ?? ''} ${object.metadata?.resourceVersion ?? ''}`;
          tell({ ...watch.state, data: resource.isList === true ? withEvent(watch.state.data as K8sResourceCommon[], type, object) : type === 'DELETED' ? {} : object });
        });
        socket.addEventListener('close', again);
      })
      .catch((error: unknown) => {
        if (isOver) return;
        // The console clears what it had when a read fails.
        tell({ data: watch.state.data, loaded: true, loadError: error });
        again();
      });
  };
  // Not within React's render.
  timer = setTimeout(read, 0);
  return watch;
}

function withEvent(items: K8sResourceCommon[], type: string, object: K8sResourceCommon): K8sResourceCommon[] {
  const isSame = ({ metadata }: K8sResourceCommon) => metadata?.name === object.metadata?.name && metadata?.namespace === object.metadata?.namespace;
  const others = items.filter((item) => !isSame(item));
  return type === 'DELETED' ? others : [...others, object];
}

function urlOf(model: K8sModel, { name, namespace, isList, selector }: WatchK8sResource): string {
  const root = model.apiGroup ? `apis/${model.apiGroup}/${model.apiVersion}` : `api/${model.apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const without = (selector?.matchExpressions ?? []).map(({ key }) => `!${key}`);
  const labels = [...Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`), ...without];
  const query = labels.length > 0 ? `?labelSelector=${encodeURIComponent(labels.join(','))}` : '';
  return `/api/kubernetes/${root}${scope}/${model.plural}${isList === true ? query : `/${name ?? ''}`}`;
}

function watchUrlOf(model: K8sModel, resource: WatchK8sResource): string {
  const url = new URL(urlOf(model, { ...resource, isList: true }), location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('watch', 'true');
  if (resource.name !== undefined) url.searchParams.set('fieldSelector', `metadata.name=${resource.name}`);
  return url.href;
}
