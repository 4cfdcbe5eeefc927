import { expect, test } from './page';

test('a quick fight ends in a pause', async ({ app, page }) => {
  await app.open();
  await app.openSample('gitops-owns-fields');
  await app.resultTab('Simulation');
  await page.getByLabel('Object', { exact: true }).selectOption('descheduler-loadaware');
  await page.getByLabel('Acts every').selectOption('2000');
  await expect(page.getByText(/^Paused after /).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /Paused after/ })).toBeVisible();
  await expect(page.locator('.va-chart__pause')).toBeVisible();
});

test('a slow fight never pauses, and it says so', async ({ app, page }) => {
  await app.open();
  await app.openSample('gitops-owns-fields');
  await app.resultTab('Simulation');
  await page.getByLabel('Object', { exact: true }).selectOption('descheduler-loadaware');
  await page.getByLabel('Acts every').selectOption('10000');
  await expect(page.getByText('Never paused.')).toBeVisible();
  await page.getByRole('button', { name: 'All entries' }).click();
  await expect(page.getByRole('grid', { name: 'All entries' }).getByRole('row')).not.toHaveCount(0);
});

test('other opponents', async ({ app, page }) => {
  await app.open();
  await app.openSample('gitops-owns-fields');
  await app.resultTab('Simulation');
  for (const opponent of ['person', 'controller']) {
    await page.getByLabel('Opponent', { exact: true }).selectOption(opponent);
    await expect(page.locator('.va-verdict').first()).toBeVisible();
  }
});
