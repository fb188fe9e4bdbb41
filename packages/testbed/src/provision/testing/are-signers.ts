import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadIdentity, loadPassphrase, loadRoster, loadTls } from "@conclave/platform";
import type { StateLayout } from "../../state/layout.ts";

/** Whether the files in a signer's folder can be opened, belong together, and match the roster. */
const isSigner = async (layout: StateLayout, index: number): Promise<boolean> => {
  const textOf = (name: string) => readFileSync(join(layout.signer(index), name), "utf8");
  const { clusterId, signers } = await loadRoster(layout.roster);
  const passphrase = await loadPassphrase({ keyFile: join(layout.signer(index), "passphrase.key") });
  if (!passphrase.ok) return false;
  const files = {
    authority: readFileSync(layout.ca, "utf8"),
    certificate: textOf("tls.crt"),
    key: textOf("tls.key"),
  };
  const tls = loadTls(files, clusterId, passphrase.value);
  const identity = loadIdentity(textOf("identity.key"), passphrase.value);
  if (!tls.ok || !identity.ok) return false;
  const key = Buffer.from(identity.value.identityKey).toString("hex");
  return key === signers.find((signer) => signer.index === index)?.identityKey;
};

/** Whether each of these signers could start: its files can be opened, belong together, and match the roster. */
export const areSigners = async (layout: StateLayout, indices: readonly number[]): Promise<boolean> =>
  (await Promise.all(indices.map((index) => isSigner(layout, index)))).every((is) => is);
