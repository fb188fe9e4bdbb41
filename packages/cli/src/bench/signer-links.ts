import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  loadPassphrase,
  loadTls,
  SignerClient,
  type SignerStatus,
  type TlsIdentity,
} from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";
import { type PartyIndex, partyIndex } from "@conclave/threshold";

const orchestratorIdentity = async ({ layout, description }: Cluster): Promise<TlsIdentity> => {
  const folder = layout.orchestrator;
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const files = {
    authority: readFileSync(layout.ca, "utf8"),
    certificate: readFileSync(join(folder, "tls.crt"), "utf8"),
    key: readFileSync(join(folder, "tls.key"), "utf8"),
  };
  const tls = loadTls(files, description.clusterId, passphrase.value);
  if (!tls.ok) throw new Error(tls.problem.message);
  return tls.value;
};

export interface SignerLink {
  readonly id: string;
  readonly index: PartyIndex;
  readonly client: SignerClient;
}

/** The signers of a throw-away cluster as its orchestrator reaches them: Control over mutual TLS. */
export class SignerLinks implements Disposable {
  readonly all: readonly SignerLink[];

  private constructor(all: readonly SignerLink[]) {
    this.all = all;
  }

  static async open(cluster: Cluster): Promise<SignerLinks> {
    const tls = await orchestratorIdentity(cluster);
    return new SignerLinks(
      cluster.description.signers.flatMap(({ id, index: number, address }) => {
        const index = partyIndex(number);
        if (index === undefined) return [];
        return [{ id, index, client: new SignerClient({ index, address }, tls) }];
      }),
    );
  }

  /** What each signer that answers says of itself. */
  async statuses(): Promise<readonly SignerStatus[]> {
    const answers = await Promise.all(this.all.map(({ client }) => client.getStatus()));
    return answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  }

  [Symbol.dispose](): void {
    for (const { client } of this.all) client.close();
  }
}
