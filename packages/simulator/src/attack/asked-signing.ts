import type { Command } from "@conclave/cluster";

/** A command to sign. */
export type AskedSigning = Extract<Command, { readonly kind: "signing" }>;
