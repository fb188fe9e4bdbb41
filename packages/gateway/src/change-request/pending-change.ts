import { type ChangeRequestView, changeRequestView, type OrganisationId } from "@conclave/custody";
import { type Connection, readPendingChanges } from "@conclave/platform";

/** A view with the change of its entity that waits for an approval, if there is one. */
export type WithPending<View> = View & { readonly pendingChangeRequest?: ChangeRequestView };

/** Shows what waits beside each view. */
export const withPending = async <View extends { readonly id: string }>(
  connection: Connection,
  orgId: OrganisationId,
  views: readonly View[],
): Promise<readonly WithPending<View>[]> => {
  const ids = views.map(({ id }) => id);
  const waiting = await readPendingChanges(connection, orgId, ids);
  return views.map((view) => {
    const request = waiting.get(view.id);
    return request === undefined ? view : { ...view, pendingChangeRequest: changeRequestView(request) };
  });
};
