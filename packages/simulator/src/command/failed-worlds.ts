import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EndedWorld } from "../campaign/campaign.ts";
import { failureText } from "../campaign/failure-text.ts";
import { openLiveLine, type TextStream } from "../campaign/live-line.ts";
import type { CampaignSettings } from "../campaign/settings.ts";
import { repeatLine } from "../campaign/world-text.ts";
import { failedPlanText, shrinkWorld } from "../shrink/shrink-world.ts";
import type { RunOrder } from "../workers/world-pool.ts";

/** So many failed worlds are shrunk: each takes the time of many worlds. */
const SHRUNK_MAX = 3;

/** A failed world, and the file that has its plan and its timeline. */
interface KeptWorld {
  readonly world: EndedWorld;
  readonly file: string;
}

/** The failed worlds of a campaign, each in files of one folder. */
export class FailedWorlds {
  readonly #settings: CampaignSettings;
  readonly #kept: KeptWorld[] = [];
  /** by seed, the command that repeats a world with a smaller plan */
  readonly #smaller = new Map<number, string>();
  #folder: string | undefined;

  constructor(settings: CampaignSettings) {
    this.#settings = settings;
  }

  get count(): number {
    return this.#kept.length;
  }

  /** Writes the plan, the findings and the timeline of a failed world. */
  keep(world: EndedWorld): void {
    this.#folder ??= mkdtempSync(join(tmpdir(), "conclave-simulated-"));
    const { seed } = world.order;
    const file = join(this.#folder, `world-${seed}`);
    writeFileSync(file, failureText(world));
    writeFileSync(`${file}.plan`, failedPlanText(world, repeatLine(this.#settings, seed)));
    this.#kept.push({ world, file });
  }

  /**
   * Looks for smaller plans of the first failed worlds, and writes those that it finds.
   * @param stream has a live line meanwhile
   */
  async shrink(run: RunOrder, stream: TextStream): Promise<void> {
    const chosen = this.#kept.slice(0, SHRUNK_MAX);
    const most = chosen.length * this.#settings.shrinkRuns;
    if (most === 0) return;
    let runs = 0;
    const line = openLiveLine(stream, () => `shrinking: ${runs} worlds run, ${most} at most`);
    const counted: RunOrder = async (order) => {
      const report = await run(order);
      runs += 1;
      return report;
    };
    await Promise.all(chosen.map((kept) => this.#shrinkOne(kept, counted)));
    line.end();
  }

  async #shrinkOne({ world, file }: KeptWorld, run: RunOrder): Promise<void> {
    const shrunk = await shrinkWorld(world, run, this.#settings.shrinkRuns);
    if (shrunk === undefined) return;
    const { seed } = world.order;
    const command = repeatLine(this.#settings, seed, `${file}.shrunk.plan`);
    writeFileSync(`${file}.shrunk.plan`, failedPlanText(shrunk, command));
    writeFileSync(`${file}.shrunk`, failureText(shrunk));
    this.#smaller.set(seed, command);
  }

  /** For each failed world a line that repeats it, and one that does with a smaller plan where there is one. */
  get lines(): readonly string[] {
    return this.#kept.flatMap(({ world, file }) => {
      const { seed } = world.order;
      const again = `${repeatLine(this.#settings, seed)} repeats it; its plan and timeline are in ${file}`;
      const smaller = this.#smaller.get(seed);
      return smaller === undefined
        ? [again]
        : [again, `  ${smaller} has a smaller plan; its timeline is in ${file}.shrunk`];
    });
  }
}
