// Serves a static folder on loopback under a path of one's choice: `node scripts/serve.mjs [FOLDER] [PORT] [PATH]`.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder = fileURLToPath(new URL('../dist', import.meta.url)), port = '4180', path = '/'] = process.argv.slice(2);

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

const server = createServer(async (request, response) => {
  const asked = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
  const inside = asked.startsWith(path) ? normalize(`/${asked.slice(path.length)}`) : '/..';
  const file = join(folder, inside.endsWith('/') ? `${inside}index.html` : inside);
  const found = inside === '/..' ? undefined : await stat(file).catch(() => undefined);
  if (!found?.isFile()) {
    response.writeHead(404).end('not found');
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-length': found.size });
  createReadStream(file).pipe(response);
});

server.listen(Number(port), '127.0.0.1', () => {
  console.log(`the playground is at http://127.0.0.1:${server.address().port}${path}`);
});
