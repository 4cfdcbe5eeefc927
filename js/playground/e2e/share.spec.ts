import { expect, test } from './page';

test('a link brings the same input and plan', async ({ app, page }) => {
  await app.open();
  await app.openSample('patch-works');
  await app.inputTab('Overrides');
  await app.write(
    'Overrides',
    'apiVersion: operator.openshift.io/v1\nkind: KubeDescheduler\nmetadata:\n  name: cluster\n  namespace: openshift-kube-descheduler-operator\n  annotations:\n    platform.kubevirt.io/mode: unmanaged\n',
  );
  await expect(app.row('descheduler-loadaware')).toContainText('Unmanaged');
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText(/^The link is \d+ B long\.$/)).toBeVisible();
  const link = await app.clipboard();
  await page.keyboard.press('Escape');

  await page.goto('about:blank');
  await app.open(link.slice(link.indexOf('#')));
  await expect(app.row('descheduler-loadaware')).toContainText('Unmanaged');
  await app.inputTab('Overrides');
  await expect(app.editor('Overrides')).toContainText('unmanaged');
});

test('a damaged link says so and shows the demo', async ({ app, page }) => {
  await app.open('#input=AAAA');
  await expect(page.getByText('The link cannot be read')).toBeVisible();
  await expect(app.row('swap-enable')).toContainText('Create');
});
