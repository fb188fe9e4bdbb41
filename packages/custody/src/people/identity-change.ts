import type { RenameBody } from "./token-body.ts";

/** A change of a user, a service account, a token or an application. */
export type IdentityChange =
  | { readonly kind: "Renamed"; readonly body: RenameBody }
  | { readonly kind: "Activated" | "Deactivated" | "Archived" };

interface Changeable {
  readonly name: string;
  readonly externalId: string | undefined;
  readonly isActive: boolean;
  /** ISO 8601 UTC */
  readonly dateArchived: string | undefined;
}

/** Applies a change to an identity. An archived identity never becomes active again. */
export const changeIdentity = <Identity extends Changeable>(
  identity: Identity,
  change: IdentityChange,
  date: string,
): Identity => {
  switch (change.kind) {
    case "Renamed":
      return {
        ...identity,
        name: change.body.name ?? identity.name,
        externalId: change.body.externalId ?? identity.externalId,
      };
    case "Activated":
      return { ...identity, isActive: true };
    case "Deactivated":
      return { ...identity, isActive: false };
    case "Archived":
      return { ...identity, isActive: false, dateArchived: date };
  }
};
