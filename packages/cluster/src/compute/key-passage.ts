import {
  type Entropy,
  type GroupPoint,
  type ImportConfig,
  type ImportRefusal,
  importDecryptionKeyOf,
  mapOutput,
  type Point,
  type Scheme,
  type SessionConfig,
  type Start,
  sealExportedShare,
  startImport,
  withScheme,
} from "@conclave/threshold";
import { readShare } from "./key-change.ts";
import { type MadeKey, madeKey, startKey } from "./schemes.ts";
import type { ComputeResult, ComputeTask } from "./task.ts";

// Keys of any scheme that are made, come from a client or go to one, without the type of their points.

type TaskOf<Kind extends ComputeTask["kind"]> = Extract<ComputeTask, { readonly kind: Kind }>;

/** How the making of a key ends when nobody cheats: an import may end in a refusal of what the client gave. */
export type KeyEnd =
  | ({ readonly kind: "key" } & MadeKey)
  | { readonly kind: "import-refused"; readonly refusals: readonly ImportRefusal[] };

/** @throws RangeError when the configuration is unfit: a bug of ours */
export const startNewKey = (
  { session, self, secrets }: SessionConfig,
  task: TaskOf<"open-key" | "open-import">,
): Start<KeyEnd> => {
  const { parties, keyId, threshold, epoch } = task;
  const run = { session, self, parties, keyId, threshold, epoch };
  return task.kind === "open-key"
    ? mapOutput(startKey(task.scheme, run), (key): KeyEnd => ({ kind: "key", ...key }))
    : startKeyImport({ ...run, decryptionKey: importDecryptionKeyOf(secrets) }, task);
};

type ImportRun = Omit<ImportConfig<Point>, "scheme" | "assignment" | "envelope">;

const startKeyImport = (
  run: ImportRun,
  { scheme: name, places, parties, envelope }: TaskOf<"open-import">,
): Start<KeyEnd> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) => {
    const assignment = new Map(parties.map((party, at) => [party, places[at] ?? 0]));
    return mapOutput(
      startImport<P>({ ...run, scheme, assignment, envelope }),
      (outcome): KeyEnd =>
        outcome.kind === "refused"
          ? { kind: "import-refused", refusals: outcome.refusals }
          : { kind: "key", ...madeKey(scheme, outcome.share) },
    );
  });

/** @throws when the stored share does not decode, or the encryption key was not checked: a bug of ours */
export const sealExport = (
  { scheme: name, key, encryptionKey, withChainCode }: TaskOf<"seal-export">,
  entropy: Entropy,
): Extract<ComputeResult, { readonly kind: "exported" }> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) => {
    const share = readShare(scheme, key);
    const envelope = sealExportedShare({ share, encryptionKey, withChainCode }, entropy);
    if (envelope === undefined) throw new Error("the client's encryption key is no point");
    return { kind: "exported", envelope, publicKey: share.info.publicKey.toBytes() };
  });
