/** Where manifests in Git and the autopilot want different things, which ends in a fight. */

import { type Change, type Diagnostic, type Json, type KubeObject, type Plan, inline } from 'virt-autopilot-ui';

import { keyOf } from '../session';
import { t } from '../texts';
import { keyOfObject } from './snapshot';

type Diff = (before: Json, after: Json) => Change[];

export function gitFindings(plan: Plan, git: readonly { file: string; object: KubeObject }[], diff: Diff): Diagnostic[] {
  return git.flatMap(({ file, object }) => {
    const asset = plan.assets.find((candidate) => candidate.object !== null && keyOf(candidate.object) === keyOfObject(object));
    if (!asset?.object || !asset.predicted || !asset.desired) return [];
    const reference = asset.object;
    return diff(object as Json, asset.predicted as Json)
      .filter(({ kind, pointer }) => kind !== 'added' && !pointer.startsWith('/status'))
      .map(
        (change): Diagnostic => ({
          code: 'git.fight',
          severity: 'warning',
          message: t('git.fight', { field: change.pointer, git: inline(change.before, 60), autopilot: inline(change.after, 60) }),
          help: t('git.help'),
          source: { file, object: reference, asset: asset.asset, pointer: change.pointer },
        }),
      );
  });
}
