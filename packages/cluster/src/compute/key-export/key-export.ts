import {
  type Entropy,
  type GroupPoint,
  type Scheme,
  sealExportedShare,
  withScheme,
} from "@conclave/threshold";
import { readShare } from "../stored-share.ts";
import type { ExportedResult, KeyExportTask } from "./task.ts";

/** @throws when the stored share does not decode, or the state machine did not check the encryption key: a bug of ours */
export const sealExport = (
  { scheme: name, key, encryptionKey, withChainCode }: KeyExportTask,
  entropy: Entropy,
): ExportedResult =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) => {
    const share = readShare(scheme, key);
    const envelope = sealExportedShare({ share, encryptionKey, withChainCode }, entropy);
    if (envelope === undefined) throw new Error("the client's encryption key is no point");
    return { kind: "exported", envelope, publicKey: share.info.publicKey.toBytes() };
  });
