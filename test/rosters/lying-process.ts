import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadRoster, type Roster } from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";
import { partyIndex } from "@conclave/threshold";
import { type Lie, LyingLink } from "../integration/liars/lying-link.ts";

/** A signer process of a running cluster whose messages to all peers pass through links that can change them. */
export class LyingProcess {
  readonly #links: readonly LyingLink[];

  private constructor(links: readonly LyingLink[]) {
    this.#links = links;
  }

  /**
   * Restarts a signer's process with a roster that names these links as its peers' addresses.
   *
   * @param cluster with proxied links, in which each process has its own roster
   */
  static async start({ layout, description, ...cluster }: Cluster, index: number): Promise<LyingProcess> {
    const { clusterId } = description;
    const roster = await loadRoster(layout.roster);
    const links = new Map<number, LyingLink>();
    for (const peer of roster.signers.flatMap((signer) => partyIndex(signer.index) ?? [])) {
      if (peer !== index) links.set(peer, await LyingLink.open({ layout, clusterId, roster }, index, peer));
    }
    const name = `signer-${index}`;
    const file = join(layout.links(name), "roster.json");
    const own = await loadRoster(file);
    const signers = own.signers.map((signer) => ({
      ...signer,
      address: links.get(signer.index)?.address.address ?? signer.address,
    }));
    const misled: Roster = { ...own, signers };
    writeFileSync(file, JSON.stringify(misled));
    await cluster.stopProcess(name);
    await cluster.restart(name);
    return new LyingProcess([...links.values()]);
  }

  /** Applies this lie to the messages for each peer from now on. */
  lie(lie: Lie): void {
    for (const link of this.#links) link.lie(lie);
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map((link) => link.close()));
  }
}
