// Where a cluster can come from.

import assert from 'node:assert/strict';
import { chmod, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { init } from 'virt-autopilot';

import { ROOT, cli, folder } from './cli/run.mjs';

const engine = await init();
const { cluster } = engine.demo();
const demo = await cli(['render', '--demo']);

test('standard input', async () => {
  assert.deepEqual(await cli(['render', '--cluster', '-'], { input: cluster }), demo);
});

test('a list of JSON, as oc get -o json writes it', async () => {
  const list = { apiVersion: 'v1', kind: 'List', items: engine.yaml.parseAll(cluster) };
  assert.deepEqual(await cli(['render', '--cluster', '-'], { input: JSON.stringify(list) }), demo);
});

test('a list that is too long for one reading', async () => {
  const filler = Array.from({ length: 300 }, (_, at) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `filler-${at}`, namespace: 'x' },
    data: { text: 'word '.repeat(10_000) },
  }));
  const list = { apiVersion: 'v1', items: [...filler, ...engine.yaml.parseAll(cluster)], kind: 'List', metadata: { resourceVersion: '' } };
  const text = engine.yaml.write(list);
  assert.ok(text.length > 12 << 20);
  assert.deepEqual(await cli(['render', '--cluster', '-'], { input: text }), demo);
  const stream = list.items.map((item) => engine.yaml.write(item)).join('---\n');
  assert.deepEqual(await cli(['render', '--cluster', '-'], { input: stream }), demo);
});

test('several files, and a folder as a must-gather has it', async (context) => {
  const objects = engine.yaml.parseAll(cluster);
  const files = Object.fromEntries(
    objects.map((object, at) => [`quay-io/cluster-scoped-resources/${object.kind}/${at}.yaml`, engine.yaml.write(object)]),
  );
  const root = await folder(context, {
    ...files,
    'version': 'must-gather\n',
    'quay-io/pods.yaml': 'apiVersion: v1\nkind: PodList\nitems: []\n',
    'quay-io/notes.json': '{"this": "is no object"}',
    'quay-io/namespaces/x/broken.txt': '}{',
  });
  await symlink(root, join(root, 'quay-io', 'loop'));
  assert.deepEqual(await cli(['render', '--cluster', root]), demo);
  const paths = Object.keys(files).map((path) => join(root, path));
  assert.deepEqual(await cli(['render', '--cluster', ...paths]), demo);
  assert.deepEqual(await cli(['render', ...paths.flatMap((path) => [`--cluster=${path}`])]), demo);
});

test('what cannot be read in a folder is passed over with a warning', async (context) => {
  const root = await folder(context, {
    'all.yaml': cluster,
    'template.yaml': 'apiVersion: v1\nkind: {{ .Kind }}\n',
    'secret.yaml': 'apiVersion: v1\nkind: ConfigMap\n',
  });
  await chmod(join(root, 'secret.yaml'), 0);
  const { code, out, err } = await cli(['render', '--cluster', root]);
  assert.equal(code, 0);
  assert.equal(out, demo.out);
  assert.match(err, /warning: passed over .*template\.yaml:2:/);
  if (process.getuid?.() !== 0) assert.match(err, /warning: passed over .*secret\.yaml: permission denied/);
});

test('a folder without objects is refused', async (context) => {
  const root = await folder(context, { 'a.yaml': 'a: 1\n', 'b.txt': '' });
  const { code, err } = await cli(['render', '--cluster', root]);
  assert.equal(code, 2);
  assert.match(err, /^error: no Kubernetes object in .*\n {2}of the files in it, 1 end/);
});

test('a HyperConverged from a file takes the place of the one in the cluster', async (context) => {
  const root = await folder(context, {
    'hco.yaml': 'apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: openshift-cnv\n',
  });
  const { code, out } = await cli(['render', '--demo', '-o', 'status', '--hco-file', `${root}/hco.yaml`]);
  assert.equal(code, 0);
  assert.match(out, /^swap-enable +EXCLUDED +MachineConfig +Autopilot not enabled$/m);
});

test('a catalog as a folder, and as the bundle of it', async (context) => {
  const root = await folder(context, {});
  const bundle = join(root, 'sample.json');
  const made = await cli(['catalog', 'bundle', 'tests/catalogs/sample', '-o', bundle]);
  assert.equal(made.code, 0);
  assert.match(made.err, /^wrote .*sample\.json/);
  const from = (catalog) => cli(['render', '--demo', '--catalog', catalog, '--ignore-activation', '-o', 'json']);
  const [folderRun, bundleRun] = await Promise.all([from('tests/catalogs/sample'), from(bundle)]);
  assert.deepEqual(folderRun, bundleRun);
  assert.ok(JSON.parse(folderRun.out).length > 0);
  assert.equal((await cli(['catalog', 'bundle', 'tests/catalogs/sample'])).out, await readFile(bundle, 'utf8'));
});

test('catalog check', async (context) => {
  const sound = await cli(['catalog', 'check', 'core/catalogs/4.22']);
  assert.equal(sound.code, 0);
  assert.match(sound.out, /Sound: catalog 4\.22 with \d+ assets/);
  const root = await folder(context, {
    'active/metadata.yaml': await readFile(join(ROOT, 'tests/catalogs/sample/active/metadata.yaml'), 'utf8'),
  });
  const broken = await cli(['catalog', 'check', root]);
  assert.equal(broken.code, 1);
  assert.match(broken.out, /error\[catalog\./);
  assert.match(broken.out, /Unusable: \d+ problems\./);
  const used = await cli(['render', '--demo', '--catalog', root]);
  assert.equal(used.code, 2);
});
