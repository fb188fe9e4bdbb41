import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "@conclave/testbed";
import { stateFolder } from "../integration/throw-away-cluster.ts";

/** Copies a folder like a backup, with names, owners and permissions. */
const copy = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true });
  execFileSync("cp", ["-a", from, to]);
};

/** The parts of a cluster to restore together. */
interface PartsAsked {
  /** signers whose stores are restored */
  readonly signers: readonly number[];
  readonly database: boolean;
}

/** Parts of a cluster, copied at one moment and restored later. The chains stay as they are. */
export class RestoredParts {
  readonly #cluster: Cluster;
  readonly #asked: PartsAsked;
  readonly #copies = stateFolder();

  constructor(cluster: Cluster, asked: PartsAsked) {
    this.#cluster = cluster;
    this.#asked = asked;
  }

  /**
   * Kills the processes of all parts, copies their folders, and starts them again. @param others processes that are down
   * meanwhile
   */
  copy(others: readonly string[] = []): Promise<void> {
    return this.#whileStopped(others, copy);
  }

  /** Kills the processes of all parts, restores their folders, and starts them again. @param others as for `copy` */
  putBack(others: readonly string[] = []): Promise<void> {
    return this.#whileStopped(others, (place, kept) => copy(kept, place));
  }

  /** Removes the copies. */
  forget(): void {
    rmSync(this.#copies, { recursive: true, force: true });
  }

  async #whileStopped(
    others: readonly string[],
    change: (place: string, kept: string) => void,
  ): Promise<void> {
    const { layout } = this.#cluster;
    const signers = this.#asked.signers.map((index) => [`signer-${index}`, layout.signer(index)] as const);
    const database = this.#asked.database ? [["postgres", layout.postgres] as const] : [];
    const places = [...signers, ...database];
    const names = [...others, ...places.map(([name]) => name)];
    for (const name of names) await this.#cluster.kill(name);
    for (const [name, place] of places) change(place, join(this.#copies, name));
    for (const name of names.toReversed()) await this.#cluster.restart(name);
  }
}
