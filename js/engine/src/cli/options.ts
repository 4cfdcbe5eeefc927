import type { OptionSpec } from './args.js';

/** Where the cluster and the catalog come from. */
export const INPUT: readonly OptionSpec[] = [
  {
    name: 'cluster',
    value: 'PATH',
    repeats: true,
    greedy: true,
    help: 'objects of the cluster: YAML or JSON files, folders with everything below them (a must-gather), or - for standard input',
  },
  { name: 'hco-file', value: 'FILE', help: 'the HyperConverged; it takes the place of one in the cluster' },
  { name: 'demo', help: 'use the demo cluster' },
  { name: 'situation', value: 'NAME', help: 'put the demo cluster into a situation; a wrong name lists them' },
  { name: 'catalog', value: 'NAME|PATH', help: "what the autopilot applies: a built-in release, a release's own folder, or a bundle (default: 4.22)" },
  { name: 'behavior', value: 'RELEASE', choices: ['4.22', '4.23', 'ga'], help: "behave as another release of the controller (default: the catalog's)" },
  { name: 'namespace', short: 'n', value: 'NAME', help: "the autopilot's namespace (default: openshift-cnv)" },
  { name: 'image', value: 'NAME=REF', repeats: true, help: 'an image that the controller was started with' },
];

/** What might be different about the cluster. */
export const WHAT_IF: readonly OptionSpec[] = [
  {
    name: 'what-if',
    value: 'KEY=VALUE',
    repeats: true,
    help: 'as if the HyperConverged had this annotation; KEY may leave out platform.kubevirt.io/, and KEY- removes it',
  },
  {
    name: 'annotate',
    value: 'KIND/NS/NAME:KEY=VALUE',
    repeats: true,
    help: 'as if another object had this annotation; KIND/NAME for one without a namespace, and KEY- removes it',
  },
  { name: 'activation', value: 'VALUE', help: 'as if platform.kubevirt.io/autopilot had this value' },
  { name: 'allow-refused-kinds', help: 'as if patches of the kinds that the controller refuses were allowed' },
];

/** The options of every command. */
export const HELP: readonly OptionSpec[] = [{ name: 'help', short: 'h', help: 'show this' }];
