import { SignerClient, type SignerStatus } from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { orchestratorIdentity } from "../../operator/credentials.ts";

export interface BenchedLink {
  readonly id: string;
  readonly index: PartyIndex;
  readonly client: SignerClient;
}

/** Connections to the signers of a temporary cluster like those of its orchestrator: Control over mutual TLS. */
export class SignerLinks implements Disposable {
  readonly all: readonly BenchedLink[];

  private constructor(all: readonly BenchedLink[]) {
    this.all = all;
  }

  static async open(cluster: Cluster): Promise<SignerLinks> {
    const tls = await orchestratorIdentity(cluster.layout, cluster.description.clusterId);
    return new SignerLinks(
      cluster.description.signers.flatMap(({ id, index: number, address }) => {
        const index = partyIndex(number);
        if (index === undefined) return [];
        return [{ id, index, client: new SignerClient({ index, address }, tls) }];
      }),
    );
  }

  /** Reads the status of each signer that answers. */
  async statuses(): Promise<readonly SignerStatus[]> {
    const answers = await Promise.all(this.all.map(({ client }) => client.getStatus()));
    return answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  }

  [Symbol.dispose](): void {
    for (const { client } of this.all) client.close();
  }
}
