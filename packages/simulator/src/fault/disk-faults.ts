import type { InjectedFault, StoreChange } from "@conclave/chaos";
import type { World } from "@conclave/custody";
import type { DiskCopy } from "../disk/signer-disk.ts";
import type { SignerProcess } from "../process/signer-process.ts";
import { AgedCopies } from "./aged-copies.ts";

/** Copies are made as often as the stores of real processes are copied. */
const COPY_EVERY_MS = 1_000;

type DiskFault = Extract<InjectedFault, { readonly kind: "disk" | "store" }>;

/** Makes the faults of a plan happen to the disks of signers. */
export class DiskFaults {
  readonly #world: Pick<World, "monotonicMs" | "every">;
  readonly #copies = new Map<number, AgedCopies<DiskCopy>>();
  readonly #startAgain: (signer: SignerProcess) => void;

  /**
   * @param faults all of the plan: stores that one restores from a copy are copied from now on
   * @param startAgain starts a signer, unless its machine is lost
   */
  constructor(
    world: Pick<World, "monotonicMs" | "every">,
    signers: readonly SignerProcess[],
    faults: readonly InjectedFault[],
    startAgain: (signer: SignerProcess) => void,
  ) {
    this.#world = world;
    this.#startAgain = startAgain;
    const backs = faults.flatMap((fault) =>
      fault.kind === "store" && fault.change.kind === "goes back" ? [fault.signer] : [],
    );
    const copied = signers.filter(({ index }) => backs.includes(index));
    if (copied.length === 0) return;
    const copy = (): void => {
      for (const { index, disk } of copied) this.#copiesOf(index).keep(world.monotonicMs(), disk.copy());
    };
    copy();
    world.every(COPY_EVERY_MS, copy);
  }

  /** @returns ends it, where it lasts; a signer that no longer trusted its disk has ended, and is started again */
  begin(signer: SignerProcess, fault: DiskFault): () => void {
    if (fault.kind === "disk") {
      const end = signer.disk.fail(fault.failure);
      return () => {
        end();
        this.#startAgain(signer);
      };
    }
    this.#change(signer, fault.change);
    return () => undefined;
  }

  #change(signer: SignerProcess, change: StoreChange): void {
    if (signer.hasLostEntry)
      throw new Error(`the store of ${signer.name} lost an entry: it waits for new shares`);
    const wasAlive = signer.world !== undefined;
    signer.kill();
    try {
      if (change.kind === "goes back")
        signer.disk.restore(this.#copiesOf(signer.index).of(this.#world.monotonicMs() - change.byMs));
      else if (signer.disk.loseEntry(change.entry) === undefined)
        throw new Error(`${signer.name} has no entry ${change.entry}`);
      else signer.hasLostEntry = true;
    } finally {
      if (wasAlive) this.#startAgain(signer);
    }
  }

  #copiesOf(index: number): AgedCopies<DiskCopy> {
    const copies = this.#copies.get(index) ?? new AgedCopies();
    this.#copies.set(index, copies);
    return copies;
  }
}
