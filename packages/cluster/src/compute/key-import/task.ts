import type { Envelope, ImportRefusal, PartyIndex, SchemeName, Session } from "@conclave/threshold";
import type { MadeKey } from "../key-generation/task.ts";

export interface KeyImportTask {
  readonly kind: "open-import";
  readonly parties: readonly PartyIndex[];
  readonly keyId: string;
  readonly scheme: SchemeName;
  readonly threshold: number;
  readonly epoch: number;
  /** for each party, in the order of the parties: the point at which the client evaluated its polynomial, 1 to n */
  readonly places: readonly number[];
  /** this signer's share, encrypted by the client; the host has the key that opens it */
  readonly envelope: Uint8Array;
}

/** The client's shares do not make up a valid key. All honest signers find the same, and keep none of them. */
export interface ImportRefusedResult {
  readonly kind: "import-refused";
  /** at least one */
  readonly refusals: readonly ImportRefusal[];
  readonly send: readonly Envelope[];
}

/** The end of an import in which nobody cheats. */
export type ImportEnd = ({ readonly kind: "key" } & MadeKey) | Omit<ImportRefusedResult, "send">;

export interface RunningKeyImport {
  readonly kind: "import";
  readonly session: Session<ImportEnd>;
}
