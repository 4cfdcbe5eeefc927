/** A loopback server with the console's paths: the page, the plugin's files, its texts, and the API behind the proxy. */

import { readFileSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

import { type WebSocket, WebSocketServer } from 'ws';

import { type Answer, FakeCluster, type Model, type Obj, mergeInto } from './cluster';

const PACKAGE = join(import.meta.dirname, '../..');
const PLUGIN = '/api/plugins/virt-autopilot-console-plugin/';

/** How the policy of the console is sent. */
export interface Policy {
  enforced: boolean;
  /** What of it lets WebAssembly compile. */
  evaluation: "'unsafe-eval'" | "'wasm-unsafe-eval'" | null;
  /** The console sends it with its page; a proxy before it may send it with everything. */
  everywhere: boolean;
}

export const REPORT_ONLY: Policy = { enforced: false, evaluation: "'unsafe-eval'", everywhere: false };

export interface Recorded {
  method: string;
  path: string;
  query: Record<string, string>;
  contentType: string | undefined;
  csrf: string | undefined;
  body: string;
  status: number;
}

/** Answers some requests with an error. */
export interface Fault {
  matches: (method: string, path: string) => boolean;
  status: number;
  message?: string;
  /** How often; for good by default. */
  times?: number;
}

export class ConsoleServer {
  cluster = new FakeCluster([]);
  policy: Policy = REPORT_ONLY;
  wasmType = 'application/wasm';
  /** The bundles in the plugin server's folder, by name. `null`: there is no such folder. */
  catalogs: Record<string, string> | null = null;
  listFails = false;
  faults: Fault[] = [];
  theme: 'light' | 'dark' = 'light';
  /** Files of the plugin that the server does not give, for example the worker. */
  withheld: RegExp | null = null;
  /** What patches wait for before they are answered. */
  held: Promise<void> = Promise.resolve();
  readonly requests: Recorded[] = [];
  readonly violations: string[] = [];
  readonly #token = 'a-token-of-the-session';
  readonly #sockets = new Set<WebSocket>();
  #server: Server | undefined;

  async start(): Promise<string> {
    const server = createServer((request, response) => { void this.#serve(request, response); });
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (opened) => { this.#watch(request, opened); });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  /** Ends every watch, as a proxy does that has had enough. */
  dropWatches(): void {
    for (const socket of this.#sockets) socket.close();
  }

  /** The requests that could change something: all but reads and access reviews, which are no objects. */
  mutations(): Recorded[] {
    return this.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/selfsubjectaccessreviews'));
  }

  #policyHeader(): [string, string] {
    const script = ["script-src 'self' console.redhat.com", this.policy.evaluation, "'nonce-n0nce'"].filter((part) => part !== null).join(' ');
    const directives = [
      "base-uri 'self'", "default-src 'self' console.redhat.com", "img-src 'self' https: data:", "font-src 'self' data:", script,
      "style-src 'self' 'unsafe-inline'", "connect-src 'self' console.redhat.com", "object-src 'self'", "frame-src 'none'", "frame-ancestors 'none'",
      'report-uri /csp-report',
    ];
    return [this.policy.enforced ? 'Content-Security-Policy' : 'Content-Security-Policy-Report-Only', directives.join('; ')];
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const body = await bodyOf(request);
    const path = url.pathname;
    if (this.policy.everywhere) response.setHeader(...this.#policyHeader());
    if (path === '/csp-report') {
      this.violations.push(body);
      response.writeHead(204).end();
    } else if (path.startsWith('/api/kubernetes/')) {
      if (request.method === 'PATCH') await this.held;
      const answer = this.#answer(request, url, body);
      this.requests.push({
        method: request.method ?? '',
        path: path.slice('/api/kubernetes'.length),
        query: Object.fromEntries(url.searchParams),
        contentType: request.headers['content-type'],
        csrf: request.headers['x-csrftoken'] as string | undefined,
        body,
        status: answer.status,
      });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
    } else if (path.startsWith(PLUGIN)) {
      this.#pluginFile(path.slice(PLUGIN.length), response);
    } else if (path === '/locales/resource.json') {
      file(response, join(PACKAGE, 'dist/locales', url.searchParams.get('lng') ?? '', `${url.searchParams.get('ns') ?? ''}.json`));
    } else if (path === '/host/models.json') {
      json(response, this.cluster.consoleModels());
    } else if (path.startsWith('/assets/')) {
      file(response, join(PACKAGE, 'node_modules/@patternfly/patternfly', normalize(path)));
    } else if (path.startsWith('/host/')) {
      file(response, join(PACKAGE, 'test/host/dist', normalize(path.slice('/host'.length))));
    } else {
      response.setHeader(...this.#policyHeader());
      response.setHeader('Set-Cookie', `csrf-token=${this.#token}; Path=/; SameSite=Strict`);
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(this.#page());
    }
  }

  #page(): string {
    const dark = this.theme === 'dark' ? ' pf-v6-theme-dark' : '';
    return `<!doctype html><html lang="en" class="${dark.trim()}"><head><meta charset="utf-8"><title>Console</title><base href="/"></head><body><div id="app" style="height: 100vh"></div><script nonce="n0nce" src="/host/host.js"></script></body></html>`;
  }

  #pluginFile(name: string, response: ServerResponse): void {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (this.withheld?.test(name) === true) {
      response.writeHead(404).end();
    } else if (name === 'catalogs/index.json') {
      if (this.listFails) response.writeHead(502).end();
      else if (this.catalogs === null) response.writeHead(404).end();
      else json(response, Object.entries(this.catalogs).map(([key, text]) => ({ name: key, type: 'file', size: text.length })));
    } else if (name.startsWith('catalogs/')) {
      const text = this.catalogs?.[decodeURIComponent(name.slice('catalogs/'.length))];
      if (text === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
    } else {
      file(response, join(PACKAGE, 'dist', normalize(`/${name}`)), { '.wasm': this.wasmType });
    }
  }

  #answer(request: IncomingMessage, url: URL, body: string): Answer {
    const method = request.method ?? '';
    const path = url.pathname.slice('/api/kubernetes'.length);
    const fault = this.faults.find(({ matches, times }) => times !== 0 && matches(method, path));
    if (fault) {
      if (fault.times !== undefined) fault.times -= 1;
      return refusal(fault.status, fault.message ?? `made to fail with ${fault.status}`);
    }
    if (method !== 'GET' && request.headers['x-csrftoken'] !== this.#token) return refusal(403, 'CSRF token does not match CSRF cookie');
    if (path.endsWith('/selfsubjectaccessreviews')) return this.#review(body);
    const target = this.#target(path);
    if (!target) return refusal(404, 'the server could not find the requested resource');
    const { model, namespace, name } = target;
    const verb = method === 'GET' ? (name === '' ? 'list' : 'get') : 'patch';
    if (!this.#may(verb, model, namespace, name)) {
      return refusal(403, `${model.plural} is forbidden: user cannot ${verb} resource "${model.plural}"`);
    }
    if (method === 'PATCH') return this.#patch(request, url, body, target);
    if (name === '') {
      // Items of a list come without their kind.
      const items = this.cluster.list(model, url.searchParams.get('labelSelector')).map((item) => ({ ...item, apiVersion: undefined, kind: undefined }));
      return { status: 200, body: { kind: `${model.kind}List`, apiVersion: 'v1', metadata: { resourceVersion: '1' }, items } };
    }
    const object = this.cluster.get(model, namespace, name);
    return object ? { status: 200, body: object } : refusal(404, `${model.plural} "${name}" not found`);
  }

  #patch(request: IncomingMessage, url: URL, body: string, { model, namespace, name }: Target): Answer {
    const live = this.cluster.get(model, namespace, name);
    const isDryRun = url.searchParams.get('dryRun') === 'All';
    if (request.headers['content-type'] === 'application/apply-patch+yaml') {
      const applied = JSON.parse(body) as Obj;
      if (!live && !this.#may('create', model, namespace, '')) return refusal(403, `user cannot create ${model.plural}`);
      const answer = this.cluster.onApply?.(applied, live) ?? { status: live ? 200 : 201, body: mergeInto(live ?? {}, applied) };
      if (!isDryRun) this.cluster.put(answer.body as Obj);
      return answer;
    }
    if (!live) return refusal(404, `${model.plural} "${name}" not found`);
    const patch = JSON.parse(body) as { metadata: { resourceVersion?: string; annotations: Record<string, string | null> } };
    if (patch.metadata.resourceVersion !== undefined && patch.metadata.resourceVersion !== live.metadata.resourceVersion) {
      return refusal(409, 'the object has been modified; please apply your changes to the latest version and try again');
    }
    const annotations = Object.entries({ ...live.metadata.annotations, ...patch.metadata.annotations }).filter((entry): entry is [string, string] => entry[1] !== null);
    const changed = { ...live, metadata: { ...live.metadata, annotations: Object.fromEntries(annotations) } };
    return { status: 200, body: isDryRun ? changed : this.cluster.put(changed) };
  }

  #review(body: string): Answer {
    const review = JSON.parse(body) as { spec: { resourceAttributes: { verb: string; group: string; resource: string; namespace: string; name: string } } };
    return { status: 201, body: { ...review, status: { allowed: this.cluster.rights(review.spec.resourceAttributes) } } };
  }

  #may(verb: string, model: Model, namespace: string, name: string): boolean {
    return this.cluster.rights({ verb, group: model.apiGroup ?? '', resource: model.plural, namespace, name });
  }

  #target(path: string): Target | undefined {
    const parts = path.split('/').filter((part) => part !== '').map(decodeURIComponent);
    const isCore = parts.shift() === 'api';
    const group = isCore ? '' : (parts.shift() ?? '');
    const version = parts.shift() ?? '';
    const namespace = parts[0] === 'namespaces' && parts.length > 2 ? (parts.splice(0, 2)[1] ?? '') : '';
    const [plural = '', name = ''] = parts;
    const model = this.cluster.modelOf(group, version, plural);
    return model && { model, namespace, name };
  }

  #watch(request: IncomingMessage, socket: WebSocket): void {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const target = this.#target(url.pathname.slice('/api/kubernetes'.length));
    if (!target) {
      socket.close();
      return;
    }
    this.#sockets.add(socket);
    const only = url.searchParams.get('fieldSelector')?.replace('metadata.name=', '');
    const [label, value] = url.searchParams.get('labelSelector')?.split('=') ?? [];
    const group = target.model.apiGroup ? `${target.model.apiGroup}/${target.model.apiVersion}` : target.model.apiVersion;
    const end = this.cluster.watch((type, object) => {
      const isMeant =
        object.kind === target.model.kind &&
        object.apiVersion === group &&
        (target.namespace === '' || object.metadata.namespace === target.namespace) &&
        (only === undefined || object.metadata.name === only) &&
        (label === undefined || (label.startsWith('!') ? object.metadata.labels?.[label.slice(1)] === undefined : object.metadata.labels?.[label] === value));
      if (isMeant) socket.send(JSON.stringify({ type, object }));
    });
    socket.on('close', () => {
      end();
      this.#sockets.delete(socket);
    });
  }
}

interface Target {
  model: Model;
  namespace: string;
  name: string;
}

const TYPES: Record<string, string> = { '.js': 'text/javascript; charset=utf-8', '.json': 'application/json', '.css': 'text/css', '.txt': 'text/plain' };

function file(response: ServerResponse, path: string, types: Record<string, string> = {}): void {
  try {
    const content = readFileSync(path);
    const type = types[extname(path)] ?? TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'Content-Type': type }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

function refusal(code: number, message: string): Answer {
  return { status: code, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
