// What a user of the package does; it must come out the same in Node, in a page and in a worker.

import { Engine, init } from 'virt-autopilot';

const HCO = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: openshift-cnv
  annotations: {platform.kubevirt.io/autopilot: "true"}
`;

export async function check() {
  let before;
  try {
    before = new Engine().version;
  } catch (error) {
    before = error.name;
  }
  const engines = await Promise.all([init(), init()]);
  const engine = engines[0];
  const { assets, activation } = engine.render({ catalog: engine.catalogs().at(-1), objects: HCO });
  return {
    before,
    version: engine.version,
    activation,
    rendered: assets.filter((asset) => asset.status === 'INCLUDED').map((asset) => asset.asset),
    big: String(engine.yaml.parse('v: 9007199254740993').v),
  };
}
