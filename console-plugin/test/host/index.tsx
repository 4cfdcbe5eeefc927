/** A page that loads a plugin as console 4.22 does, and shows its extensions where the console shows them. */

import '@patternfly/patternfly/patternfly.css';
import { PluginStore } from '@openshift/dynamic-plugin-sdk';
import i18next from 'i18next';
import { createRoot } from 'react-dom/client';
import { initReactI18next } from 'react-i18next';

// What only plugins use is shared as well.
import '@openshift-console/dynamic-plugin-sdk';
import 'react-redux';
import 'redux';
import 'redux-thunk';

import { consoleFetch } from './console-sdk';
import { Shell } from './Shell';

declare const __webpack_init_sharing__: (scope: string) => Promise<void>;
declare const __webpack_share_scopes__: Record<string, Record<string, unknown>>;

const PLUGIN = 'virt-autopilot-console-plugin';

async function start() {
  await i18next
    .use(initReactI18next)
    .use({
      type: 'backend' as const,
      read: (language: string, namespace: string, done: (error: unknown, texts: unknown) => void) => {
        fetch(`/locales/resource.json?lng=${language}&ns=${namespace}`)
          .then((response) => response.json())
          .then((texts) => { done(null, texts); }, (error: unknown) => { done(error, null); });
      },
    })
    .init({
      lng: 'en',
      fallbackLng: 'en',
      ns: [`plugin__${PLUGIN}`],
      defaultNS: 'public',
      nsSeparator: '~',
      keySeparator: false,
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });

  await __webpack_init_sharing__('default');
  const sharedScope = __webpack_share_scopes__.default ?? {};
  sharedScope['react-router-dom'] = sharedScope['react-router'];
  sharedScope['react-router-dom-v5-compat'] = sharedScope['react-router'];

  const store = new PluginStore({
    loaderOptions: {
      canLoadPlugin: (manifest) => manifest.name === PLUGIN,
      entryCallbackSettings: { name: '__load_plugin_entry__' },
      fetchImpl: consoleFetch,
      customDependencyResolutions: { '@console/pluginAPI': '4.22.0' },
      isDependencyResolvable: () => true,
      sharedScope,
      transformPluginManifest: (manifest) => {
        if (manifest.registrationMethod !== 'callback') throw new Error('only plugins with a callback are loaded');
        return manifest;
      },
    },
  });
  await store.loadPlugin(new URL(`/api/plugins/${PLUGIN}/plugin-manifest.json`, location.href).href);
  const [info] = store.getPluginInfo();
  const root = document.getElementById('app');
  if (!root) throw new Error('the page has no place for the app');
  document.documentElement.dataset.plugin = info?.status ?? 'absent';
  createRoot(root).render(<Shell store={store} problem={info?.status === 'failed' ? info.errorMessage : null} />);
}

void start().catch((error: unknown) => {
  document.documentElement.dataset.plugin = `failed: ${String(error)}`;
});
