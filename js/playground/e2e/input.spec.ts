import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { tarOf, zipOf } from '../test/archives';
import { expect, test } from './page';

const HCO = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: openshift-cnv
  annotations:
    platform.kubevirt.io/autopilot: "true"
`;
const NODE = `apiVersion: v1
kind: Node
metadata:
  name: worker-7
  labels:
    node-role.kubernetes.io/worker: ""
`;
const GATHER = { 'gather/namespaces/openshift-cnv/hco.yaml': HCO, 'gather/cluster-scoped/nodes.yaml': NODE, 'gather/pod.log': 'noise' };

test('a broken patch is shown at its line', async ({ app, page }) => {
  await app.open();
  await app.inputTab('Overrides');
  await app.write(
    'Overrides',
    `apiVersion: operator.openshift.io/v1
kind: KubeDescheduler
metadata:
  name: cluster
  namespace: openshift-kube-descheduler-operator
  annotations:
    platform.kubevirt.io/patch: |
      [
        {"op": "replace", "path": "/spec/mode", "value": "Predictive"},
        {"op": "replace", "path": "/spec/mode" "value": "Automatic"}
      ]
`,
  );
  const marker = page.locator('.cm-gutter-lint .cm-lint-marker-error');
  await expect(marker).toHaveCount(1);
  // The marker stands beside the line that is broken.
  const line = page.locator('.cm-line', { hasText: '"Automatic"' });
  const [at, of] = [await marker.boundingBox(), await line.boundingBox()];
  expect(Math.abs((at?.y ?? 0) - (of?.y ?? 1000))).toBeLessThan(12);
  await app.resultTab('Findings');
  await page.getByRole('button', { name: 'Show in the input' }).first().click();
  await expect(app.editor('Overrides')).toBeFocused();
});

test('text that is no YAML is shown at its line, and the plan before it stays', async ({ app, page }) => {
  await app.open();
  await app.write('HyperConverged', `${HCO}spec: {a: [\n`);
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(1);
  await expect(page.getByText(/error in the input/)).toBeVisible();
  await app.inputTab('Cluster objects');
  await expect(app.editor('cluster.yaml')).toContainText('kind: Infrastructure');
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(0);
});

test('a fix is applied where the annotation is written', async ({ app, page }) => {
  await app.open();
  await app.openSample('patch-missing-parent');
  await app.resultTab('Findings');
  const fix = page.locator('.va-diagnostics').getByRole('button').filter({ hasNotText: 'Show in the input' }).first();
  await fix.click();
  await expect(page.getByText(/Applied: /).first()).toBeVisible();
});

test('a folder is dropped', async ({ app, page }, info) => {
  for (const [path, text] of Object.entries(GATHER)) {
    const file = info.outputPath(path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  }
  await app.open();
  await app.inputTab('Cluster objects');
  await app.drop(page.locator('.pg-drop').last(), [info.outputPath('gather')]);
  await expect(page.getByText('2 files were read.')).toBeVisible();
  await expect(page.getByText('1 other file was passed over.')).toBeVisible();
  await app.inputTab('HyperConverged');
  await expect(app.editor('HyperConverged')).toContainText('kubevirt-hyperconverged');
});

for (const [name, bytes] of [
  ['must-gather.tar', tarOf(GATHER)],
  ['must-gather.tgz', gzipSync(tarOf(GATHER))],
  ['must-gather.zip', zipOf(GATHER)],
] as const) {
  test(`${name} is dropped`, async ({ app, page }, info) => {
    const file = info.outputPath(name);
    await writeFile(file, bytes);
    await app.open();
    await app.inputTab('Cluster objects');
    await app.drop(page.locator('.pg-drop').last(), [file]);
    await expect(page.getByText('2 files were read.')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'File to edit' })).toHaveValue('gather/cluster-scoped/nodes.yaml');
  });
}

test('an archive that is damaged, and files that are no manifests, get a clear answer', async ({ app, page }, info) => {
  const [broken, notes] = [info.outputPath('broken.zip'), info.outputPath('notes.txt')];
  await writeFile(broken, zipOf(GATHER).subarray(0, 90));
  await writeFile(notes, 'hello');
  await app.open();
  await app.inputTab('Cluster objects');
  await app.drop(page.locator('.pg-drop').last(), [broken]);
  await expect(page.getByText(/The files cannot be read/)).toBeVisible();
  await app.drop(page.locator('.pg-drop').last(), [notes]);
  await expect(page.getByText('There was no manifest among them.')).toBeVisible();
});

test('what is too large is refused with its size', async ({ app, page }, info) => {
  const file = info.outputPath('huge.yaml');
  await writeFile(file, Buffer.alloc(65_000_000, '#'));
  await app.open();
  await app.inputTab('Cluster objects');
  await app.drop(page.locator('.pg-drop').last(), [file]);
  await expect(page.getByRole('heading', { name: 'The input is too large' })).toBeVisible();
  await expect(page.getByText(/65 MB were given/)).toBeVisible();
});

test('manifests in Git are compared with the plan', async ({ app, page }) => {
  await app.open();
  await app.inputTab('Git manifests');
  await page.getByRole('button', { name: 'New file' }).click();
  await app.write(
    'pasted.yaml',
    'apiVersion: operator.openshift.io/v1\nkind: KubeDescheduler\nmetadata:\n  name: cluster\n  namespace: openshift-kube-descheduler-operator\nspec:\n  deschedulingIntervalSeconds: 3600\n',
  );
  await app.resultTab('Findings');
  await expect(page.getByText(/Git wants \/spec\/deschedulingIntervalSeconds to be 3600/)).toBeVisible();
});
