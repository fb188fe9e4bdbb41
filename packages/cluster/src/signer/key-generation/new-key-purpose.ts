import type { Purpose } from "../state.ts";

/** What a session for a key that is nowhere yet is for. */
export type NewKeyPurpose = Extract<Purpose, { readonly protocol: "key-generation" | "key-import" }>;

/** Whether a session is for a new key, generated or imported. */
export const isNewKey = (purpose: Purpose): purpose is NewKeyPurpose =>
  purpose.protocol === "key-generation" || purpose.protocol === "key-import";
