import type { Purpose } from "../state.ts";

/** The purpose of a session for a new key. */
type NewKeyPurpose = Extract<Purpose, { readonly protocol: "key-generation" | "key-import" }>;

/** Whether a session is for a new key, generated or imported. */
export const isNewKey = (purpose: Purpose): purpose is NewKeyPurpose =>
  purpose.protocol === "key-generation" || purpose.protocol === "key-import";
