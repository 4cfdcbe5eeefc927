/** What the user may do, asked of the API server. */

import { type K8sModel, type K8sVerb, checkAccess } from '@openshift-console/dynamic-plugin-sdk';

export interface Target {
  namespace?: string | undefined;
  name?: string | undefined;
}

/**
 * Whether the user may do something with an object, or with all of its kind where no name is given. Who may do it with
 * the whole kind is asked once; the console remembers the answers. A review that fails says nothing, so that the attempt
 * itself is left to the server.
 */
export async function isAllowed(model: K8sModel, verb: K8sVerb, { namespace, name }: Target): Promise<boolean> {
  const resource = { group: model.apiGroup ?? '', resource: model.plural, verb };
  if (await ask(resource)) return true;
  if (namespace === undefined && name === undefined) return false;
  return ask({ ...resource, ...(namespace !== undefined && { namespace }), ...(name !== undefined && { name }) });
}

async function ask(attributes: Parameters<typeof checkAccess>[0]): Promise<boolean> {
  try {
    const review = await checkAccess(attributes);
    return review.status?.allowed ?? true;
  } catch {
    return true;
  }
}
