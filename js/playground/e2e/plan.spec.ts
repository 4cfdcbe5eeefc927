import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { expect, test } from './page';

/** A release with one template that fails, one that comes to nothing, and one whose turn never comes. */
const RELEASE = {
  'active/metadata.yaml': `framework: {maturity: dp, opt_in: platform.kubevirt.io/autopilot=true}
excluded_assets: [hco-golden-config]
features:
- {name: All, description: all of it, assets: [broken, nothing, never]}
assets:
- {name: hco-golden-config, path: active/hco.yaml.tpl, phase: 0, install: always, component: HyperConverged, reconcile_order: 0}
- {name: broken, path: active/broken.yaml.tpl, phase: 1, install: always, component: ConfigMap, reconcile_order: 1}
- {name: nothing, path: active/nothing.yaml.tpl, phase: 1, install: always, component: ConfigMap, reconcile_order: 1}
- {name: never, path: active/never.yaml.tpl, phase: 1, install: always, component: ConfigMap, reconcile_order: 0}
`,
  'active/hco.yaml.tpl':
    'apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: {{ .HCO.GetNamespace }}\nspec: {}\n',
  'active/broken.yaml.tpl': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .HCO.Object.none.name }}\n',
  'active/never.yaml.tpl': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: never\n',
  'active/nothing.yaml.tpl': '{{ if false }}\napiVersion: v1\nkind: ConfigMap\n{{ end }}\n',
};

test('the demo has a plan at once', async ({ app, page }) => {
  await app.open();
  await expect(page.getByText(/\d+ nodes would drain and reboot/)).toBeVisible();
  await expect(app.row('swap-enable')).toContainText('Create');
  await expect(app.row('descheduler-loadaware')).toContainText('Update');
  await page.getByRole('button', { name: 'Show pools and causes' }).click();
  await expect(page.getByText('Pool worker')).toBeVisible();
});

test('the table filters and sorts', async ({ app, page }) => {
  await app.open();
  await page.getByRole('button', { name: /^\d+ Update$/ }).click();
  await expect(app.row('swap-enable')).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Kind' }).click();
  await page.getByRole('menuitem', { name: /^KubeletConfig/ }).getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await expect(page.locator('tbody tr')).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('columnheader', { name: 'Asset' }).getByRole('button').click();
  const names = await page.locator('[data-asset]').allTextContents();
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

test('an asset shows its change, reasons, steps, owners, objects and events', async ({ app, page }) => {
  await app.open();
  await app.openSample('gitops-owns-fields');
  await app.openAsset('descheduler-loadaware');
  await expect(page.getByText(/argocd-controller loses \d fields/)).toBeVisible();
  await expect(page.locator('.va-diff__line--added').filter({ hasText: 'deschedulingIntervalSeconds: 60' })).toBeVisible();
  await page.getByRole('button', { name: 'Split' }).click();
  await expect(page.locator('.va-diff__table--split')).toBeVisible();
  const tabs: [string, string | RegExp][] = [
    ['Why', 'Features'],
    ['Steps', 'Baseline'],
    ['Ownership', 'Taken by force'],
    ['Object', 'KubeVirtRelieveAndMigrate'],
    ['Events', 'DriftDetected'],
  ];
  for (const [tab, text] of tabs) {
    await page.locator('.va-detail').getByRole('tab', { name: tab }).click();
    await expect(page.locator('.va-panel').getByText(text).first()).toBeVisible();
  }
});

test('payloads are decoded', async ({ app, page }) => {
  await app.open();
  await app.openAsset('swap-enable');
  await expect(page.getByText('/etc/openshift/kubelet.conf.d/90-swap.conf').first()).toBeVisible();
  await expect(page.locator('.va-payload').getByText(/failSwapOn/).first()).toBeVisible();
});

const SAMPLES: [sample: string, asset: string, outcome: string][] = [
  ['demo', 'swap-enable', 'Create'],
  ['demo', 'descheduler-loadaware', 'Update'],
  ['demo', 'mtv-operator', 'CRD missing'],
  ['demo', 'kubelet-perf-settings', 'Conditions not met'],
  ['defaults-added', 'metrics-service', 'In sync'],
  ['mask-into-list', 'metrics-servicemonitor', 'Mask failed'],
  ['mask-stops-everything', 'metrics-service', 'Not reached'],
  ['paused', 'metrics-servicemonitor', 'Paused'],
  ['unmanaged', 'descheduler-loadaware', 'Unmanaged'],
  ['disabled-resources', 'swap-enable', 'Excluded'],
  ['namespace-missing', 'mtv-operator', 'No namespace'],
  ['activation-list', 'swap-enable', 'Not listed'],
];

test('each outcome has a sample', async ({ app }) => {
  await app.open();
  for (const [sample, asset, outcome] of SAMPLES) {
    await app.openSample(sample);
    await expect(app.row(asset), sample).toContainText(outcome);
  }
});

test('the autopilot turned off, without a HyperConverged, and without anything', async ({ app, page }) => {
  await app.open();
  const hco = 'apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: openshift-cnv\n';
  await app.write('HyperConverged', hco);
  await expect(app.row('swap-enable')).toContainText('Not enabled');
  await app.write('HyperConverged', hco.replace('kubevirt-hyperconverged', 'other'));
  await expect(app.row('swap-enable')).toContainText('No HyperConverged');
  await app.write('HyperConverged', '');
  await app.inputTab('Cluster objects');
  await page.getByRole('button', { name: /^Remove / }).first().click();
  await expect(page.getByRole('heading', { name: 'Begin with a cluster' })).toBeVisible();
  await page.getByRole('button', { name: 'Open the demo cluster' }).click();
  await expect(app.row('swap-enable')).toContainText('Create');
});

test('a release’s folder is planned, with what its templates do wrong', async ({ app, page }, info) => {
  for (const [path, text] of Object.entries(RELEASE)) {
    const file = info.outputPath('release', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await app.open();
  await app.drop(page.getByLabel('Catalog', { exact: true }), [info.outputPath('release')]);
  await expect(app.row('broken')).toContainText('Render failed');
  await expect(app.row('nothing')).toContainText('Not applicable');
  await expect(app.row('never')).toContainText('Passed over');
  await app.openAsset('broken', 'Why');
  await expect(page.getByText('Line 4 of active/broken.yaml.tpl')).toBeVisible();
});

for (const [what, patch, outcome] of [
  ['has a field that the API server does not know', '[{"op": "add", "path": "/spec/bogus", "value": 1}]', 'Apply refused'],
  ['brings the patch library down', '[{"op": "test", "path": ""}]', 'Patch crashes'],
] as const) {
  test(`a patch that ${what} comes to: ${outcome}`, async ({ app }) => {
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
    platform.kubevirt.io/patch: '${patch}'
`,
    );
    await expect(app.row('descheduler-loadaware')).toContainText(outcome);
  });
}

test('the behaviour is chosen', async ({ app, page }) => {
  await app.open();
  await page.getByLabel('Behaviour').selectOption('4.23');
  await expect(page.getByText('behaviour of 4.23')).toBeVisible();
  await page.getByLabel('Behaviour').selectOption('own');
  await expect(page.getByText('behaviour of 4.22')).toBeVisible();
});

test('the plan is downloaded and copied', async ({ app, page }) => {
  await app.open();
  for (const [item, name] of [['Plan as JSON', 'plan.json'], ['Plan as YAML', 'plan.yaml'], ['Report as Markdown', 'plan.md']] as const) {
    await page.getByRole('button', { name: 'Download' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    expect((await download).suggestedFilename()).toBe(name);
  }
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: 'Copy the report' }).click();
  await expect(page.getByText('The report is copied.')).toBeVisible();
  expect(await app.clipboard()).toContain('# What the platform autopilot would do');
});
