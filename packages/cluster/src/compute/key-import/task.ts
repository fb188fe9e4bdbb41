import type { Envelope, ImportRefusal, PartyIndex, SchemeName, Session } from "@conclave/threshold";
import type { MadeKey } from "../key-generation/task.ts";

export interface KeyImportTask {
  readonly kind: "open-import";
  readonly parties: readonly PartyIndex[];
  readonly keyId: string;
  readonly scheme: SchemeName;
  readonly threshold: number;
  readonly epoch: number;
  /** where the client evaluated its polynomial for each of the parties, in their order: 1 to n */
  readonly places: readonly number[];
  /** our own encrypted share, as the client made it; the host has the key that opens it */
  readonly envelope: Uint8Array;
}

/** The client's material is no key. Every honest signer finds the same, and keeps nothing of it. */
export interface ImportRefusedResult {
  readonly kind: "import-refused";
  /** at least one */
  readonly refusals: readonly ImportRefusal[];
  readonly send: readonly Envelope[];
}

/** How an import ends when nobody cheats. */
export type ImportEnd = ({ readonly kind: "key" } & MadeKey) | Omit<ImportRefusedResult, "send">;

export interface RunningKeyImport {
  readonly kind: "import";
  readonly session: Session<ImportEnd>;
}
