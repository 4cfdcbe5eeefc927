import { PAGE, TAB, expect, settled, shot, test } from './fixtures';

test('the page of an administrator', async ({ page, origin, server, errors }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await expect(page.getByRole('heading', { name: 'What the autopilot would do' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'swap-enable' })).toBeVisible();
  await shot(page, 'page-light');
  expect(server.mutations()).toEqual([]);
  expect(server.violations).toEqual([]);
  expect(errors).toEqual([]);
});

test('the tab', async ({ page, origin, errors }) => {
  await page.goto(`${origin}${TAB}`);
  await settled(page);
  await page.getByRole('button', { name: 'descheduler-loadaware' }).first().click();
  await shot(page, 'asset-light');
  expect(errors).toEqual([]);
});
