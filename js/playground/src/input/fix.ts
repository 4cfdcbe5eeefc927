/** Applies what mends a finding: where the annotation is written, or else as an override. */

import type { Fix } from 'virt-autopilot-ui';

import { loadEditor } from '../editor/Editor';
import type { EngineClient } from '../engine/client';
import { type Session, textsOf, withText } from '../session';

export async function applyFix(engine: EngineClient, session: Session, { object, annotation, value }: Fix): Promise<Session> {
  const { holds, withAnnotation } = await loadEditor();
  for (const { tab, name, text } of textsOf(session)) {
    if (tab === 'git' || !holds(text, { object, annotation })) continue;
    const fixed = withAnnotation(text, object, annotation, value);
    if (fixed !== undefined) return withText(session, name, fixed);
  }
  const overrides = await engine.call('addOverride', session.overrides, { object, annotation, value });
  return { ...session, overrides };
}
