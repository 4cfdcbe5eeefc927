/** The server's configuration, tried with nginx itself: the one that NGINX names, or else where one is installed. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const NGINX = process.env.NGINX ?? 'nginx';
const isThere = process.env.NGINX !== undefined || (spawnSync(NGINX, ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0);
const CONF = join(import.meta.dirname, '../../deploy/nginx.conf');

describe.runIf(isThere)('nginx', () => {
  let folder: string;
  let port: number;
  let server: ReturnType<typeof spawn>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'va-nginx-'));
    port = await freePort();
    const root = join(folder, 'root');
    // As a mounted ConfigMap has it: files are links into a hidden folder.
    mkdirSync(join(root, 'catalogs/..data'), { recursive: true });
    writeFileSync(join(root, 'catalogs/..data/4.23.json'), '{"files":{}}');
    symlinkSync('..data/4.23.json', join(root, 'catalogs/4.23.json'));
    writeFileSync(join(root, 'engine.0123.wasm'), '\0asm');
    writeFileSync(join(root, 'plugin-manifest.json'), '{}');
    const selfSigned = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1'];
    execFileSync('openssl', [...selfSigned, '-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')], { stdio: 'ignore' });
    const conf = readFileSync(CONF, 'utf8')
      .replaceAll('/tmp/', `${folder}/`)
      .replaceAll('/var/serving-cert', folder)
      .replaceAll('/opt/app-root/src', root)
      .replace('listen [::]:9443 ssl;', '')
      .replace('listen 9443', `listen 127.0.0.1:${port}`)
      .replace('events {}', 'daemon off;\nmaster_process off;\nevents {}');
    writeFileSync(join(folder, 'nginx.conf'), conf);
    server = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    await untilAnswered('/plugin-manifest.json');
  });

  afterAll(() => {
    server.kill();
    rmSync(folder, { recursive: true });
  });

  it('gives WebAssembly its type, to be kept', async () => {
    const { headers } = await fetched('/engine.0123.wasm');
    expect(headers).toMatchObject({ 'content-type': 'application/wasm', 'x-content-type-options': 'nosniff' });
    expect(headers['cache-control']).toContain('immutable');
  });

  it('has the manifest asked for each time', async () => {
    expect((await fetched('/plugin-manifest.json')).headers['cache-control']).toBe('no-cache');
  });

  it('lists the catalogs of a ConfigMap, and gives them', async () => {
    const listing = await fetched('/catalogs/index.json');
    expect(listing.headers['content-type']).toContain('application/json');
    expect(JSON.parse(listing.body)).toMatchObject([{ name: '4.23.json', type: 'file' }]);
    expect((await fetched('/catalogs/4.23.json')).body).toBe('{"files":{}}');
  });

  it('has nothing for what is not there', async () => {
    expect((await fetched('/nothing')).status).toBe(404);
  });

  function fetched(path: string): Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }> {
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, rejectUnauthorized: false }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => { body += chunk.toString(); });
        response.on('end', () => { resolve({ status: response.statusCode, headers: response.headers, body }); });
      }).on('error', reject);
    });
  }

  async function untilAnswered(path: string): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const isUp = await fetched(path).then(() => true, () => false);
      if (isUp) return;
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    throw new Error('nginx does not answer');
  }
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => { resolve(typeof address === 'object' && address ? address.port : 0); });
    });
  });
}
