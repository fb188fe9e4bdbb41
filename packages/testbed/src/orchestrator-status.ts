import { z } from "zod";

const STATUS_TIMEOUT_MS = 2_000;

const sessionSchema = z.object({ protocol: z.string(), stage: z.string() });

const signerSchema = z.object({
  index: z.number(),
  id: z.string(),
  live: z.boolean(),
  stage: z.string().optional(),
  status: z
    .object({
      auxiliaryEpoch: z.number(),
      cpuMicroseconds: z.coerce.number(),
      residentBytes: z.coerce.number(),
      sessions: z.array(sessionSchema),
    })
    .optional(),
});

const statusSchema = z.object({ signers: z.array(signerSchema) });

/** A signer as the orchestrator sees it. */
export type SignerReport = z.infer<typeof signerSchema>;

/** A signer's state in one word, and a stage while it makes its auxiliary information. */
export interface SignerState {
  readonly index: number;
  readonly id: string;
  readonly state: string;
}

/** Asks the orchestrator how it sees the signers; nothing when it does not answer. */
export const readSigners = async (orchestratorUrl: string): Promise<readonly SignerReport[] | undefined> => {
  try {
    const answer = await fetch(`${orchestratorUrl}/status`, {
      signal: AbortSignal.timeout(STATUS_TIMEOUT_MS),
    });
    return statusSchema.parse(await answer.json()).signers;
  } catch (cause) {
    if (cause instanceof z.ZodError) throw cause;
    return undefined;
  }
};

export const stateOf = (signer: SignerReport): SignerState => {
  const { index, id } = signer;
  if (!signer.live) return { index, id, state: "not answering" };
  if (signer.status === undefined) return { index, id, state: "live" };
  if (signer.status.auxiliaryEpoch > 0) return { index, id, state: "ready" };
  return { index, id, state: signer.stage ?? "live, without auxiliary information" };
};
