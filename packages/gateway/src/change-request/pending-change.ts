import { type ChangeRequestView, changeRequestView, type OrganisationId } from "@conclave/custody";
import { type Connection, readPendingChanges } from "@conclave/platform";

/** A view of an entity with its change that waits for an approval, if there is one. */
export type WithPending<View> = View & { readonly pendingChangeRequest?: ChangeRequestView };

/** Adds the waiting change to each view. */
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
