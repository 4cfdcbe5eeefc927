// Measures, in the browser, the time from a keystroke to the painted plan: a catalog of 100 assets against a cluster of
// 1,000 objects. It needs the built folder: `npm run build`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';

const ASSETS = 100;
const OBJECTS = 1000;
const KEYS = 40;

const hco = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: openshift-cnv
  annotations:
    platform.kubevirt.io/autopilot: "true"
  labels:
    team: a`;

const folder = await mkdtemp(join(tmpdir(), 'virt-autopilot-bench-'));
await writeCatalog(join(folder, 'catalog'));
await writeFile(join(folder, 'cluster.yaml'), cluster());

const server = spawn(process.execPath, [fileURLToPath(new URL('../scripts/serve.mjs', import.meta.url)), fileURLToPath(new URL('../dist', import.meta.url)), '0']);
const [line] = await once(server.stdout, 'data');
const address = /http:\S+/.exec(String(line))?.[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(address);
  await page.getByRole('heading', { name: 'What the autopilot would do' }).waitFor();
  await page.getByRole('tab', { name: 'Cluster objects' }).click();
  await page.locator('.pg-drop').last().locator('input[type=file]').first().setInputFiles(join(folder, 'cluster.yaml'));
  await page.getByRole('button', { name: 'Open a release folder or bundle' }).click();
  await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles(join(folder, 'catalog'));
  await page.getByText(`of ${ASSETS + 1} assets`).waitFor();
  console.log(await page.getByTestId('status').textContent());

  await page.getByRole('tab', { name: 'HyperConverged' }).click();
  const editor = page.getByRole('textbox', { name: 'HyperConverged', exact: true });
  await editor.click();
  await page.evaluate(() => {
    globalThis.times = [];
    globalThis.addEventListener('keydown', (event) => (globalThis.pressed = event.timeStamp), true);
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'virt-autopilot:painted') globalThis.times.push(startTime - globalThis.pressed);
    }).observe({ entryTypes: ['mark'] });
  });
  /** Edits, and waits for its plan, so that none is taken for the next one's. */
  const painted = async (edit) => {
    const before = await page.evaluate(() => globalThis.times.length);
    await edit();
    await page.waitForFunction((length) => globalThis.times.length > length, before);
  };
  for (const [what, key] of [['changes no asset', '#'], ['changes every asset', 'x']]) {
    await page.keyboard.press('ControlOrMeta+a');
    await painted(() => page.keyboard.insertText(hco));
    await page.keyboard.press('ControlOrMeta+End');
    if (key === '#') await painted(() => page.keyboard.press('Enter'));
    const [times, engine] = [[], []];
    for (let count = 0; count <= KEYS; count += 1) {
      await painted(() => page.keyboard.press(key));
      times.push(await page.evaluate(() => globalThis.times.at(-1)));
      engine.push(Number(/in (\d+) ms/.exec((await page.getByTestId('status').textContent()) ?? '')?.[1]));
    }
    // The first one still pays for what the code needs once.
    console.log(`A keystroke that ${what}`);
    report('  to the painted plan', times.slice(1), 'ms');
    report('  of it the engine', engine.slice(1), 'ms');
  }
} finally {
  await browser.close();
  server.kill();
  await rm(folder, { recursive: true });
}

function report(name, values, unit) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]);
  console.log(`${name.padEnd(28)} median ${at(0.5)} ${unit}, 95th percentile ${at(0.95)} ${unit}, of ${sorted.length}`);
}

/** Templates of some 2.5 KB each, as many as a release has. */
async function writeCatalog(root) {
  const names = Array.from({ length: ASSETS }, (_, index) => `asset-${index}`);
  const assets = names.map((name) => `- {name: ${name}, path: active/${name}.yaml.tpl, phase: 1, install: always, component: ConfigMap, reconcile_order: 1}`);
  const metadata = `framework: {maturity: dp, opt_in: platform.kubevirt.io/autopilot=true}
excluded_assets: [hco-golden-config]
features:
- {name: Everything, description: all of it, assets: [${names.join(', ')}]}
assets:
- {name: hco-golden-config, path: active/hco.yaml.tpl, phase: 0, install: always, component: HyperConverged, reconcile_order: 0}
${assets.join('\n')}
`;
  const files = {
    'active/metadata.yaml': metadata,
    'active/hco.yaml.tpl': 'apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: {{ .HCO.GetNamespace }}\nspec: {}\n',
    'tombstones/.keep': '',
  };
  for (const name of names) {
    const lines = Array.from({ length: 40 }, (_, index) => `  key-${index}: "{{ .HCO.GetNamespace }} of ${name}, with a value of some length"`);
    files[`active/${name}.yaml.tpl`] = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: openshift-cnv\ndata:\n  team: "{{ .HCO.Object.metadata.labels.team }}"\n${lines.join('\n')}\n`;
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Half of the catalog's objects as they are live, and nodes and others up to the number. */
function cluster() {
  const documents = ['apiVersion: v1\nkind: Namespace\nmetadata:\n  name: openshift-cnv'];
  for (let index = 0; index < ASSETS / 2; index += 1) {
    documents.push(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: asset-${index}\n  namespace: openshift-cnv\ndata:\n  key-0: edited\n  key-x: by hand`);
  }
  for (let index = documents.length; index < OBJECTS; index += 1) {
    documents.push(index % 2 === 0 ? node(index) : configMap(index));
  }
  return documents.join('\n---\n');
}

function node(index) {
  const labels = Array.from({ length: 12 }, (_, label) => `    feature.node.kubernetes.io/label-${label}: "true"`);
  return `apiVersion: v1\nkind: Node\nmetadata:\n  name: worker-${index}\n  labels:\n    node-role.kubernetes.io/worker: ""\n${labels.join('\n')}\nstatus:\n  capacity:\n    cpu: "64"\n    memory: 263842068Ki\n    pods: "250"`;
}

function configMap(index) {
  const data = Array.from({ length: 10 }, (_, key) => `  key-${key}: a value that is about as long as such values are`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other-${index}\n  namespace: openshift-cnv\ndata:\n${data.join('\n')}`;
}
