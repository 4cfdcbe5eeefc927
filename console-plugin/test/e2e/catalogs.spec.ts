/** Catalogs that the plugin's server holds, and the server's own answers as they were recorded. */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { init } from 'virt-autopilot';

import { FakeCluster, type Obj, ROOT, demoObjects, mergeInto } from './cluster';
import { PAGE, expect, settled, shot, test } from './fixtures';

interface Step {
  op: string;
  manager?: string;
  force?: boolean;
  object?: Obj;
  live?: Obj;
  managedFields?: object[];
  error?: string;
}

interface Recording {
  schema: object;
  cases: { name: string; schema: boolean; steps: Step[] }[];
}

const MANAGER = 'virt-platform-autopilot';
const recording = JSON.parse(readFileSync(join(ROOT, 'tests/conformance/vectors/ssa.json'), 'utf8')) as Recording;

/** The recorded applies by the controller, each with the state before it. The object gets a name of its own. */
const applies = recording.cases
  .filter(({ schema }) => schema)
  .flatMap(({ name, steps }) =>
    steps.flatMap((step, index) => {
      const before = steps[index - 1];
      // The plugin forces. What was refused for a conflict is no answer to that.
      const isForced = step.force === true || step.error?.includes('conflict') !== true;
      const isOurs = step.op === 'apply' && step.manager === MANAGER && (step.force === true || step.error !== undefined || index === 0) && isForced;
      return isOurs && !isUnmanaged(before?.live) && step.object && before?.error === undefined ? [{ name: `${name}, step ${index}`, step, object: step.object, before }] : [];
    }),
  )
  .map((apply, index) => ({ ...apply, id: `w${index}` }));

/** The controller does not apply to an object that is not its own, and so does not ask. */
function isUnmanaged(live: Obj | undefined): boolean {
  return live?.metadata.annotations?.['platform.kubevirt.io/mode'] === 'unmanaged';
}

function called(object: Obj, id: string): Obj {
  return { ...object, metadata: { ...object.metadata, name: id } };
}

const labelled = (object: Obj): Obj => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, 'platform.kubevirt.io/managed-by': MANAGER } },
});

function filesUnder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(names.map(({ parentPath, name }) => [join(parentPath, name).slice(folder.length + 1), readFileSync(join(parentPath, name), 'utf8')]));
}

async function bundleOf(files: Record<string, string>, name: string): Promise<string> {
  const engine = await init();
  const catalog = engine.loadCatalog(files, { name, behavior: '4.23' });
  return catalog.bundle();
}

test('a catalog of the cluster’s own can be chosen', async ({ page, server, origin, errors }) => {
  server.catalogs = { 'sample-4.23.json': await bundleOf(filesUnder(join(ROOT, 'tests/catalogs/sample')), 'sample') };
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await page.getByRole('combobox', { name: 'Catalog' }).selectOption({ label: 'sample-4.23.json (from this cluster)' });
  await expect(page.getByRole('button', { name: 'tuning-config' })).toBeVisible();
  await expect(page).toHaveURL(/catalog=server%2Fsample-4.23.json/);
  await settled(page);
  await shot(page, 'own-catalog-light');
  expect(errors).toEqual([]);
});

test('a bundle that is broken says what is wrong, and another can be chosen', async ({ page, server, origin }) => {
  server.catalogs = { 'broken-9.99.json': '{"files": {}}' };
  await page.goto(`${origin}${PAGE}?catalog=server%2Fbroken-9.99.json`);
  await expect(page.getByRole('heading', { name: 'The catalog cannot be used' })).toBeVisible();
  await shot(page, 'broken-catalog-light');
  await page.getByRole('combobox', { name: 'Catalog' }).selectOption({ label: '4.22 (built in)' });
  await settled(page);
});

test('the catalog and the behaviour follow the operator', async ({ page, server, origin }) => {
  const bundle = await bundleOf(filesUnder(join(ROOT, 'tests/catalogs/sample')), 'sample');
  server.catalogs = { '4.23.json': bundle, '4.24.json': bundle };
  const hco = server.cluster.find('HyperConverged', 'kubevirt-hyperconverged');
  if (!hco) throw new Error('the demo has no HyperConverged');
  server.cluster.put({ ...hco, status: { versions: [{ name: 'operator', version: '4.23.2' }] } });
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  const catalog = page.getByRole('combobox', { name: 'Catalog' });
  await expect(catalog).toHaveValue('server/4.23.json');
  await expect(page.getByText('Catalog sample, behaviour of 4.23')).toBeVisible();
  // An upgrade while one looks on.
  server.cluster.put({ ...hco, status: { versions: [{ name: 'operator', version: '4.24.0' }] } });
  await expect(catalog).toHaveValue('server/4.24.json');
  await settled(page);
});

test('a catalog that cannot be fetched is tried again', async ({ page, server, origin }) => {
  const bundle = await bundleOf(filesUnder(join(ROOT, 'tests/catalogs/sample')), 'sample');
  server.catalogs = { '4.22.json': bundle };
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  server.withheld = /4\.22\.json$/;
  await page.getByRole('combobox', { name: 'Catalog' }).selectOption({ label: '4.22.json (from this cluster)' });
  await expect(page.getByRole('heading', { name: 'The catalog cannot be used' })).toBeVisible();
  server.withheld = null;
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  await expect(page.getByText(/Catalog sample/)).toBeVisible();
});

test('that the catalogs cannot be listed is said, and the built-in one serves', async ({ page, server, origin }) => {
  server.listFails = true;
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await expect(page.getByText(/The catalogs of this cluster cannot be listed \(/)).toBeVisible();
});

test('the recorded answers of a real server agree with the prediction', async ({ page, server, origin }) => {
  const assets = applies.map(({ id }) => ({ name: id, path: `active/${id}.yaml`, phase: 1, install: 'always', component: 'Widget', reconcile_order: 1 }));
  const metadata = {
    framework: { maturity: 'tp', opt_in: 'platform.kubevirt.io/autopilot=true' },
    excluded_assets: ['hco-golden-config', ...assets.map(({ name }) => name)],
    assets: [{ name: 'hco-golden-config', path: 'active/hco.yaml', phase: 0, install: 'always', component: 'HyperConverged', reconcile_order: 0 }, ...assets],
    features: [],
  };
  const golden = { apiVersion: 'hco.kubevirt.io/v1', kind: 'HyperConverged', metadata: { name: 'kubevirt-hyperconverged', namespace: 'openshift-cnv' } };
  const files = {
    'active/metadata.yaml': JSON.stringify(metadata),
    'active/hco.yaml': JSON.stringify(golden),
    ...Object.fromEntries(applies.map(({ id, object }) => [`active/${id}.yaml`, JSON.stringify(called(object, id))])),
  };
  server.catalogs = { 'recorded-4.23.json': await bundleOf(files, 'recorded') };
  server.cluster = new FakeCluster([
    ...demoObjects('hco-in-v1'),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: recording.schema } }],
      },
    },
    ...applies.flatMap(({ id, before }) =>
      before?.live ? [{ ...called(before.live, id), metadata: { ...called(before.live, id).metadata, managedFields: (before.managedFields ?? []).map((entry) => ({ ...entry, fieldsType: 'FieldsV1' })) } }] : [],
    ),
  ]);
  server.cluster.onApply = (applied, live) => {
    const apply = applies.find(({ id }) => id === applied.metadata.name);
    if (!apply) return { status: 200, body: mergeInto(live ?? {}, applied) };
    expect(applied, apply.name).toEqual(labelled(called(apply.object, apply.id)));
    if (apply.step.error !== undefined || !apply.step.live) return { status: 422, body: { kind: 'Status', code: 422, message: apply.step.error } };
    return { status: 200, body: labelled(called(apply.step.live, apply.id)) };
  };
  await page.goto(`${origin}${PAGE}?catalog=server%2Frecorded-4.23.json&activation=true`);
  await settled(page);
  // Not by roles: in a page as long as this one it takes a browser seconds to look something up by its role.
  await page.getByText(/^Ask the server about \d+ assets$/).click();
  await expect(page.getByText(`${applies.length + 1} assets asked, 0 with differences`)).toBeVisible({ timeout: 90_000 });
  const rows = await page.locator('[aria-label="Server dry run"] tbody tr').allInnerTexts();
  const answers = new Map(rows.map((text) => [/^\S+/.exec(text)?.[0] ?? '', text]));
  for (const { id, name } of applies) expect.soft(answers.get(id), name).toMatch(/Agrees\s*$/);
});
