/** The manifests: valid by the schemas of Kubernetes, of a piece, and without privileges. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import extensions from '../../console-extensions.json';
import manifest from '../../package.json';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

interface Kustomization {
  namespace: string;
  resources: string[];
  configMapGenerator: { name: string; files: string[] }[];
  images: { name: string }[];
}

interface Plugin {
  apiVersion: string;
  metadata: { name: string };
  spec: { backend: { type: string; service: { name: string; namespace: string; port: number; basePath: string } }; i18n: { loadType: string } };
}

const kustomization = parse(read('kustomization.yaml')) as Kustomization;
const deployment = new Deployment(parse(read('deployment.yaml')) as ConstructorParameters<typeof Deployment>[0]);
const service = new Service(parse(read('service.yaml')) as ConstructorParameters<typeof Service>[0]);
const plugin = parse(read('consoleplugin.yaml')) as Plugin;
const pod = deployment.spec?.template.spec;
const container = pod?.containers[0];
const nginx = read('nginx.conf');

describe('the manifests', () => {
  it('are valid by the schemas of Kubernetes', () => {
    const kinds = { Deployment, Service, Namespace };
    for (const name of ['deployment', 'service', 'namespace']) {
      const object = parse(read(`${name}.yaml`)) as { kind: keyof typeof kinds };
      expect(() => { new kinds[object.kind](object as never).validate(); }, name).not.toThrow();
    }
    const generated = kustomization.configMapGenerator.map(({ name, files }) => new ConfigMap({ metadata: { name }, data: Object.fromEntries(files.map((file) => [file, read(file)])) }));
    for (const map of generated) expect(() => { map.validate(); }).not.toThrow();
  });

  it('are all listed, each with one object', () => {
    const files = readdirSync(DEPLOY).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted());
    for (const name of files) expect(parseAllDocuments(read(name)), name).toHaveLength(1);
  });

  it('lead from the ConsolePlugin to the files', () => {
    const { service: target } = plugin.spec.backend;
    expect(plugin).toMatchObject({ apiVersion: 'console.openshift.io/v1', kind: 'ConsolePlugin', metadata: { name: manifest.consolePlugin.name } });
    expect(target).toEqual({ name: service.metadata?.name, namespace: kustomization.namespace, port: service.spec?.ports?.[0]?.port, basePath: '/' });
    expect(service.metadata?.namespace).toBe(kustomization.namespace);
    expect(service.spec?.selector).toEqual(deployment.spec?.template.metadata?.labels);
    expect(deployment.spec?.selector.matchLabels).toEqual(service.spec?.selector);
    expect(container?.ports?.[0]).toMatchObject({ name: 'https', containerPort: 9443 });
    expect(nginx).toContain('listen 9443 ssl;');
    expect(kustomization.images.map(({ name }) => name)).toEqual([container?.image]);
  });

  it('have the certificate, the configuration and the catalogs mounted where they are looked for', () => {
    const volumes = Object.fromEntries((pod?.volumes ?? []).map((volume) => [volume.name, volume]));
    const mounts = Object.fromEntries((container?.volumeMounts ?? []).map((mount) => [mount.name, mount.mountPath]));
    expect(volumes.cert?.secret?.secretName).toBe(service.metadata?.annotations?.['service.beta.openshift.io/serving-cert-secret-name']);
    expect(volumes.nginx?.configMap?.name).toBe(kustomization.configMapGenerator[0]?.name);
    expect(volumes.catalogs?.configMap?.optional).toBe(true);
    expect(nginx).toContain(`ssl_certificate ${mounts.cert ?? ''}/tls.crt;`);
    expect(`${/root (\S+);/.exec(nginx)?.[1] ?? ''}/catalogs`).toBe(mounts.catalogs);
  });

  it('ask for no privileges', () => {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } });
    expect(container?.securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    for (const [, path = ''] of nginx.matchAll(/(?:pid|_temp_path) (\S+);/g)) expect(path).toMatch(/^\/tmp\//);
  });

  it('run what the Containerfile makes: the build on UBI’s nginx, without root', () => {
    const containerfile = readFileSync(join(DEPLOY, '../Containerfile'), 'utf8');
    const [, root = ''] = /root (\S+);/.exec(nginx) ?? [];
    expect(containerfile).toMatch(/^FROM registry\.access\.redhat\.com\/ubi\d+\/nginx-\d+/m);
    expect(containerfile).toContain(`COPY --chown=1001:0 console-plugin/dist ${root}\n`);
    expect(/^USER (\d+)$/m.exec(containerfile)?.[1]).toBe('1001');
    for (const [, from = ''] of containerfile.matchAll(/^COPY --chown=\S+ (\S+)/gm)) {
      if (!from.endsWith('/dist')) expect(existsSync(join(DEPLOY, '../..', from)), from).toBe(true);
    }
  });

  it('serve WebAssembly as such', () => {
    expect(nginx).toMatch(/application\/wasm wasm;/);
  });

  it('have the version of the package', () => {
    expect(manifest.consolePlugin.version).toBe(manifest.version);
    expect(read('kustomization.yaml')).toContain(`newTag: ${manifest.version}`);
  });
});

describe('the extensions', () => {
  it('are there for both versions of the HyperConverged', () => {
    for (const type of ['console.tab/horizontalNav', 'console.action/resource-provider', 'console.resource/details-item']) {
      const versions = extensions.filter((extension) => extension.type === type).map(({ properties }) => properties.model?.version);
      expect(versions, type).toEqual(['v1', 'v1beta1']);
    }
  });
});
