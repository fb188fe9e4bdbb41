import { z } from "zod";

const STATUS_TIMEOUT_MS = 2_000;

const sessionSchema = z.object({ protocol: z.string(), stage: z.string() });

const quarantinedSchema = z.object({
  signer: z.number(),
  check: z.string(),
  /** SHA-256, in hex */
  evidence: z.string(),
});

const signerSchema = z.object({
  index: z.number(),
  id: z.string(),
  live: z.boolean(),
  stage: z.string().optional(),
  clockAheadMs: z.number().optional(),
  /** absent from an orchestrator of the previous version */
  isClockOff: z.boolean().default(false),
  status: z
    .object({
      auxiliaryEpoch: z.number(),
      cpuMicroseconds: z.coerce.number(),
      residentBytes: z.coerce.number(),
      sessions: z.array(sessionSchema),
      quarantined: z.array(quarantinedSchema).default([]),
      /** absent from an orchestrator of the previous version */
      keysToRefresh: z.number().default(0),
      pool: z.object({ ready: z.number(), consumed: z.number() }),
    })
    .optional(),
});

const stockSchema = z.object({
  ready: z.number(),
  sets: z.array(z.object({ keyId: z.string(), signers: z.array(z.number()), ready: z.number() })),
  /** signatures since the orchestrator started: from the pool, and with presigning in the session */
  signed: z.object({ pooled: z.number(), interactive: z.number() }),
});

const statusSchema = z.object({ signers: z.array(signerSchema), presignatures: stockSchema });

/** The state of a signer as the orchestrator reports it. */
export type SignerReport = z.infer<typeof signerSchema>;

/** The presignature pool as the orchestrator reports it, by key and set of signers. */
export type StockReport = z.infer<typeof stockSchema>;

/** A signer's state in a few words; during the generation of auxiliary information, the stage of that. */
export interface SignerCondition {
  readonly index: number;
  readonly id: string;
  readonly state: string;
  /** "bare": it answers, and has no auxiliary information, without which it signs nothing; "making": it takes part in making that */
  readonly standing: "away" | "bare" | "making" | "ready";
  /** the peers that it proved to cheat, with which it refuses to sign */
  readonly quarantined: readonly z.infer<typeof quarantinedSchema>[];
  /** number of keys that it refuses to sign with before their next epoch, because its store was an older copy */
  readonly keysToRefresh: number;
  /** how many milliseconds its clock is ahead of the orchestrator's; undefined if not reported */
  readonly clockAheadMs: number | undefined;
  /** whether the difference is so large that one of the two clocks must be wrong */
  readonly isClockOff: boolean;
}

/** The state of the cluster as the orchestrator reports it. */
export type OrchestratorReport = z.infer<typeof statusSchema>;

/** Reads the state of the cluster from the orchestrator; undefined if it does not answer. */
export const readOrchestrator = async (orchestratorUrl: string): Promise<OrchestratorReport | undefined> => {
  try {
    const answer = await fetch(`${orchestratorUrl}/status`, {
      signal: AbortSignal.timeout(STATUS_TIMEOUT_MS),
    });
    return statusSchema.parse(await answer.json());
  } catch (cause) {
    if (cause instanceof z.ZodError) throw cause;
    return undefined;
  }
};

/** Reads the state of the signers from the orchestrator; undefined if it does not answer. */
export const readSigners = async (orchestratorUrl: string): Promise<readonly SignerReport[] | undefined> =>
  (await readOrchestrator(orchestratorUrl))?.signers;

const wordsOf = ({ live, status, stage }: SignerReport): string => {
  if (!live) return "not answering";
  if (status === undefined) return "live";
  return status.auxiliaryEpoch > 0 ? "ready" : (stage ?? "live, without auxiliary information");
};

const standingOf = ({ live, status, stage }: SignerReport): SignerCondition["standing"] => {
  if (!live) return "away";
  if ((status?.auxiliaryEpoch ?? 0) > 0) return "ready";
  return stage === undefined ? "bare" : "making";
};

export const stateOf = (signer: SignerReport): SignerCondition => {
  const { index, id, clockAheadMs, isClockOff, status } = signer;
  return {
    index,
    id,
    state: wordsOf(signer),
    standing: standingOf(signer),
    quarantined: status?.quarantined ?? [],
    keysToRefresh: status?.keysToRefresh ?? 0,
    clockAheadMs,
    isClockOff,
  };
};

/** A signer's work in each stage of the generation of its Paillier and ring-Pedersen moduli. */
const STAGES: Readonly<Record<string, string>> = {
  "auxiliary/primes": "looking for safe primes",
  "auxiliary/1": "committed to their moduli",
  "auxiliary/2": "proving their moduli",
  "auxiliary/3": "checking the others' proofs",
};

/** Counts signers by stage or state, such as "3 looking for safe primes, 2 committed to their moduli". */
export const countedStages = (states: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${STAGES[state] ?? state}`).join(", ");
};
