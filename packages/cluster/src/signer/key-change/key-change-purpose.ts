import type { Purpose } from "../state.ts";

/** The purpose of a session that makes the next epoch of a key. */
type KeyChangePurpose = Extract<Purpose, { readonly protocol: "key-refresh" | "key-reshare" }>;

export const isKeyChange = (purpose: Purpose): purpose is KeyChangePurpose =>
  purpose.protocol === "key-refresh" || purpose.protocol === "key-reshare";
