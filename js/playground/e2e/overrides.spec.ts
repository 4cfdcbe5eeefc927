import { expect, test } from './page';

const DESCHEDULER = 'descheduler-loadaware';

test('an override made by editing gives the same plan when it is pasted back', async ({ app, page }) => {
  await app.open();
  await app.openAsset(DESCHEDULER, 'Override');
  const editor = app.editor('The object as it should be');
  await expect(editor).toContainText('deschedulingIntervalSeconds: 60');
  const text = (await editor.locator('.cm-line').allTextContents()).join('\n');
  await app.write('The object as it should be', text.replace('deschedulingIntervalSeconds: 60', 'deschedulingIntervalSeconds: 240'));
  await expect(page.getByText('The autopilot would accept this')).toBeVisible();
  await page.getByRole('button', { name: 'Copy Manifest for Git' }).click();
  const manifest = await app.clipboard();
  expect(manifest).toContain('platform.kubevirt.io/patch:');
  await page.getByRole('button', { name: 'Copy Command' }).click();
  expect(await app.clipboard()).toMatch(/^oc annotate kubedescheduler\S* cluster -n openshift-kube-descheduler-operator --overwrite /);

  await page.getByRole('button', { name: 'Put it into the overrides' }).click();
  await page.locator('.va-detail').getByRole('tab', { name: 'Object' }).click();
  await expect(page.locator('.va-code')).toContainText('deschedulingIntervalSeconds: 240');
  const planned = await page.locator('.va-code').textContent();

  await app.openSample('demo');
  await app.inputTab('Overrides');
  await app.write('Overrides', manifest);
  await app.openAsset(DESCHEDULER, 'Object');
  await expect(page.locator('.va-code')).toContainText('deschedulingIntervalSeconds: 240');
  expect(await page.locator('.va-code').textContent()).toBe(planned);
});

test('a field is left alone', async ({ app, page }) => {
  await app.open();
  await app.openSample('gitops-owns-fields');
  await app.openAsset(DESCHEDULER, 'Override');
  await page.getByRole('button', { name: 'Leave fields alone' }).click();
  await page.getByRole('checkbox', { name: '/spec/deschedulingIntervalSeconds' }).check();
  await expect(page.getByText('The autopilot would accept this')).toBeVisible();
  await expect(page.locator('.va-snippet').first()).toContainText('/spec/deschedulingIntervalSeconds');
});

test('an object is not managed, or excluded', async ({ app, page }) => {
  await app.open();
  await app.openAsset(DESCHEDULER, 'Override');
  await page.getByRole('button', { name: 'Do not manage it' }).click();
  await expect(page.getByText('Outcome: Unmanaged')).toBeVisible();
  await page.getByRole('button', { name: 'Exclude it' }).click();
  await expect(page.getByText('Outcome: Excluded')).toBeVisible();
  await page.getByRole('button', { name: 'Put it into the overrides' }).click();
  await page.getByRole('button', { name: 'All assets' }).click();
  await expect(app.row(DESCHEDULER)).toContainText('Excluded');
});

test('a patch that the autopilot refuses is called refused', async ({ app, page }) => {
  await app.open();
  await app.openSample('patch-refused-kind');
  await app.openAsset('psi-enable', 'Override');
  const editor = app.editor('The object as it should be');
  await expect(editor).toContainText('psi=1');
  const text = (await editor.locator('.cm-line').allTextContents()).join('\n');
  await app.write('The object as it should be', text.replace('psi=1', 'psi=0'));
  await expect(page.getByText('The autopilot would not accept this')).toBeVisible();
});

test('a keyboard is enough from loading to a copied annotation', async ({ app, page }) => {
  await app.open();
  const focusIs = (name: string | RegExp) => expect(page.locator(':focus')).toHaveText(name);
  const tabTo = async (name: RegExp, limit = 60) => {
    for (let count = 0; count < limit; count += 1) {
      await page.keyboard.press('Tab');
      const text = await page.evaluate(() => {
        const active = document.activeElement;
        return active ? `${active.getAttribute('aria-label') ?? ''} ${active.textContent}` : '';
      });
      if (name.test(text)) return;
    }
    throw new Error(`the focus does not come to ${name}`);
  };
  await page.keyboard.press('Tab');
  await focusIs('Skip to the plan');
  await page.keyboard.press('Enter');
  await expect(page.locator('#result')).toBeFocused();
  await tabTo(/^ ?descheduler-loadaware/);
  await page.keyboard.press('Enter');
  await focusIs(DESCHEDULER);
  await tabTo(/^ ?Override$/);
  await page.keyboard.press('Enter');
  await tabTo(/^ ?Do not manage it$/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Outcome: Unmanaged')).toBeVisible();
  await tabTo(/^Copy Value/);
  await page.keyboard.press('Enter');
  await expect.poll(() => app.clipboard()).toBe('unmanaged');
});
