import type { Command, SessionReport } from "@conclave/cluster";
import type { PartyIndex } from "@conclave/threshold";
import { RunningChecks, type RunningChecksOptions } from "../check/running-checks.ts";
import type { IdealKeys } from "../engine/ideal-keys.ts";
import { milliseconds } from "../time/scheduler.ts";
import { type PassedCommand, PassedCommands } from "./passed-commands.ts";
import { ReachedCounts } from "./reached.ts";
import type { SaidTexts } from "./said-texts.ts";
import { SessionLog } from "./session-log.ts";
import { UndonePayments } from "./undone-payments.ts";

/** All that is watched in a world while it runs, from outside of its processes. */
export class WorldWatch {
  readonly checks: RunningChecks;
  readonly reached = new ReachedCounts();
  readonly commands = new PassedCommands();
  readonly undone = new UndonePayments();
  readonly sessions: SessionLog;
  readonly said: SaidTexts;
  readonly #now: { readonly nowUs: number };
  readonly #keys: Pick<IdealKeys, "digestOf">;

  /** @param now the time of the world */
  constructor(
    options: RunningChecksOptions & { readonly keys: Pick<IdealKeys, "digestOf"> },
    said: SaidTexts,
    now: { readonly nowUs: number },
  ) {
    this.checks = new RunningChecks(options);
    this.sessions = new SessionLog(now);
    this.said = said;
    this.#now = now;
    this.#keys = options.keys;
  }

  /** An orchestrator sends a command. @param by its name */
  command(by: string, signer: PartyIndex, passed: PassedCommand): void {
    const { command } = passed;
    this.reached.add(`${kindOf(by)} asks for ${command.kind}`);
    this.commands.add(passed);
    if (command.kind !== "signing") return;
    if (command.presignatures.length > 0) this.reached.add(`${kindOf(by)} spends a presignature of the pool`);
    const { keyId, unsigned, authorisation } = command;
    this.checks.passed({ signer, keyId, unsigned, authorisation });
  }

  /** A signer's report on a command reaches an orchestrator. */
  report(by: string, signer: PartyIndex, command: Command, report: SessionReport): void {
    const what = report.kind === "refusal" ? `refused: ${report.problem.code}` : `answered: ${report.kind}`;
    this.reached.add(`${kindOf(by)} is ${what}`);
    if (command.kind !== "signing" || report.kind !== "signed") return;
    const { keyId, unsigned, authorisation } = command;
    const digests = report.signatures.map((each) =>
      each.scheme === "CGGMP24" ? this.#keys.digestOf(each) : undefined,
    );
    this.checks.answered(
      { signer, keyId, unsigned, authorisation },
      { atMs: milliseconds(this.#now.nowUs), digests },
    );
  }
}

/** The kind of a process: its name without its number. */
const kindOf = (process: string): string => process.replace(/-\d+$/, "");
