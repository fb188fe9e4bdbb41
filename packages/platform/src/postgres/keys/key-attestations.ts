import { type KeyAttestation, type KeyId, keyIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytesList } from "../columns.ts";
import type { Connection } from "../database.ts";
import { mappedTable } from "../table/table.ts";

/** The attestations of the roster's signers, by index: three lists of one length. */
export const attestationColumns = {
  signatures: bytesList,
  statements: bytesList,
  statementSignatures: bytesList,
};
const attestedSchema = z.object(attestationColumns);
type Attested = Readonly<z.output<typeof attestedSchema>>;

/** Reads the attestations from the columns; an empty statement means that the signer gave none. */
export const attestationsIn = ({
  signatures,
  statements,
  statementSignatures,
}: Attested): readonly KeyAttestation[] =>
  signatures.map((signature, at): KeyAttestation => {
    const [statement, by] = [statements[at], statementSignatures[at]];
    const isStated = statement !== undefined && by !== undefined && statement.length > 0;
    return isStated ? { signature, stated: { statement, signature: by } } : { signature };
  });

const NOTHING = new Uint8Array(0);

/** The column values of attestations. */
export const attestationValues = (attestations: readonly KeyAttestation[]): Attested => ({
  signatures: attestations.map(({ signature }) => signature),
  statements: attestations.map(({ stated }) => stated?.statement ?? NOTHING),
  statementSignatures: attestations.map(({ stated }) => stated?.signature ?? NOTHING),
});

interface AttestedKey {
  readonly keyId: KeyId;
  readonly attestations: readonly KeyAttestation[];
}

const columns = { keyId: keyIdSchema, ...attestationColumns };
const keyAttestations = mappedTable("key_attestations", columns, {
  row: z
    .object(columns)
    .transform(({ keyId, ...attested }): AttestedKey => ({ keyId, attestations: attestationsIn(attested) })),
  derived: ({ attestations }: AttestedKey) => attestationValues(attestations),
});

/** Stores all signers' attestations of a new key, once: they never change. */
export const insertKeyAttestations = async (
  connection: Connection,
  keyId: KeyId,
  attestations: readonly KeyAttestation[],
): Promise<void> => {
  await keyAttestations.insert(connection, { keyId, attestations });
};

/** Reads each signer's attestation of a key, by index; empty for a key that an earlier version made. */
export const readKeyAttestations = async (
  connection: Pick<Connection, "rows">,
  keyId: KeyId,
): Promise<readonly KeyAttestation[]> =>
  (await keyAttestations.one(connection, { keyId }))?.attestations ?? [];
