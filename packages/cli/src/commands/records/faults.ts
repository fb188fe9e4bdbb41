import type { Roster } from "@conclave/platform/config";
import {
  type Database,
  listFaults,
  openDatabase,
  readFault,
  type StoredFault,
} from "@conclave/platform/postgres";
import { LaunchError } from "@conclave/testbed/launch";
import { decode, evidenceCodec } from "@conclave/threshold";
import { writeEvidence } from "../../evidence/evidence-file.ts";
import { signerNamed } from "../../evidence/fault-words.ts";
import { type DatedVerdict, verdictOverTime } from "../../evidence/verdict-over-time.ts";
import { clusterRoster } from "../../operator/cluster-roster.ts";
import { databaseUrlOf } from "../../operator/database-url.ts";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import { printable } from "../../printable.ts";
import { table } from "../../table.ts";

/** A fault as operators read it. */
export interface ListedFault {
  readonly id: number;
  readonly date: string;
  readonly signer: string;
  readonly check: string;
  readonly protocol: string | undefined;
  readonly keyId: string | undefined;
  /** 64 hex digits */
  readonly session: string;
  readonly reporter: string;
  /** "proven", or why the record proves nothing to others */
  readonly proof: string;
}

const withRecords = async <Value>(
  { state, databaseUrl }: RecordsPlace,
  work: (database: Database, roster: Roster) => Promise<Value>,
): Promise<Value> => {
  const roster = await clusterRoster(state);
  const database = openDatabase({ url: databaseUrlOf(state, databaseUrl), name: "conclave-operator" });
  try {
    return await work(database, roster);
  } finally {
    await database.close();
  }
};

const OLDER = "evidence of an older version: it names the signer, and nobody else can check it";

const unproven = (why: string): DatedVerdict => ({ verdict: { kind: "unproven", why } });

const proofOf = ({ verdict, accusedSince }: DatedVerdict): string => {
  if (verdict.kind !== "proven") return printable(verdict.why);
  return accusedSince === undefined ? "proven" : `proven, by its identity of before ${accusedSince.date}`;
};

/** The evidence in the database may be forged, so each proof is verified when it is shown. */
const verdictOf = (roster: Roster, { culprit, checkName, proven }: StoredFault): DatedVerdict => {
  if (proven === undefined) return unproven(OLDER);
  const decoded = decode(evidenceCodec, proven.proof);
  if (!decoded.ok) return unproven("the evidence on record is damaged");
  const dated = verdictOverTime({ evidence: decoded.value, bytes: proven.proof }, roster);
  const { verdict } = dated;
  const isOfRecord =
    verdict.kind !== "proven" || (verdict.culprit === culprit && verdict.check === checkName);
  return isOfRecord ? dated : unproven("the evidence on record is of another fault");
};

const listed = (roster: Roster, fault: StoredFault): ListedFault => {
  return {
    id: fault.id,
    date: fault.date,
    signer: signerNamed(roster, fault.culprit),
    check: printable(fault.checkName),
    protocol: fault.proven && printable(fault.proven.protocol),
    keyId: fault.proven?.keyId && printable(fault.proven.keyId),
    session: Buffer.from(fault.sessionId).toString("hex"),
    reporter: signerNamed(roster, fault.reporter),
    proof: proofOf(verdictOf(roster, fault)),
  };
};

/** The faults on record, newest first. Rejects with a LaunchError if there is no cluster or no database. */
const faultsOf = (place: RecordsPlace): Promise<readonly ListedFault[]> =>
  withRecords(place, (database, roster) => listFaults(database, (fault) => listed(roster, fault)));

const HEAD = ["id", "date", "signer", "failed the check", "in", "key", "session", "reported by", "proof"];
const SESSION_DIGITS = 12;

const rowOf = (fault: ListedFault): readonly string[] => [
  String(fault.id),
  fault.date,
  fault.signer,
  fault.check,
  fault.protocol ?? "",
  fault.keyId ?? "",
  fault.session.slice(0, SESSION_DIGITS),
  fault.reporter,
  fault.proof,
];

/** `conclave faults`: lists the signers that deviated from the protocol, when, and in which session. */
export const faults = async (place: RecordsPlace, isJson: boolean): Promise<void> => {
  const all = await faultsOf(place);
  if (isJson) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
  else if (all.length === 0) process.stdout.write("no signer was shown to deviate from the protocol\n");
  else process.stdout.write(`${table(HEAD, all.map(rowOf))}\n`);
};

const idIn = (text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new LaunchError(`"${printable(text)}" is no fault's id`, "`conclave faults` lists them.");
};

/**
 * Writes the evidence of a fault to a new file, which anybody who has the roster can verify.
 *
 * Rejects with a LaunchError if there is no such fault, its record is of an older version without evidence, or the file
 * cannot be written.
 */
const exportFault = async (place: RecordsPlace, id: string, path: string): Promise<void> => {
  const number = idIn(id);
  const { fault, clusterId } = await withRecords(place, async (database, roster) => ({
    fault: await readFault(database, number),
    clusterId: roster.clusterId,
  }));
  if (fault === undefined) {
    throw new LaunchError(`there is no fault ${number} on record`, "`conclave faults` lists them.");
  }
  if (fault.proven === undefined) {
    throw new LaunchError(`fault ${number} has ${OLDER}`, "Faults of this version can be exported.");
  }
  await writeEvidence(path, { clusterId, proof: fault.proven.proof }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new LaunchError(
        `${path} cannot be written (${cause.code ?? cause.message})`,
        "Name a file that does not exist, in a folder that does.",
      );
    },
  );
};

/** `conclave faults export`: runs `exportFault` and prints how to verify the file. */
export const exportEvidence = async (place: RecordsPlace, id: string, path: string): Promise<void> => {
  await exportFault(place, id, path);
  process.stdout.write(`done: ${path}; \`conclave verify-evidence ${path}\` checks it, anywhere\n`);
};
