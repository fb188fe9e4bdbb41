import { checkResultCodec } from "../../checks/check-result.ts";
import { jobCodec, performJob } from "../../checks/job.ts";
import { encode } from "../../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../../insecure-test-parameters.ts";
import { insecureAuxiliaryInfo } from "../insecure-auxiliary.ts";
import type { Standing } from "../lockstep.ts";
import { type Decoder, decoder } from "./decoder.ts";
import { auxiliaryGeneration, presigning, two } from "./honest-messages.ts";

const jobsAt = ({ round, inbox }: Standing<unknown>): readonly Uint8Array[] =>
  round.examine?.(inbox).checks.map(({ job }) => job()) ?? [];

const [self] = two;
const jobs = [presigning, auxiliaryGeneration].flatMap(({ standings }) =>
  standings.filter(({ party }) => party === self).flatMap(jobsAt),
);
const info = self && insecureAuxiliaryInfo(two).get(self);
const verdicts = jobs.map((job) => encode(checkResultCodec(parameters), performJob(job, parameters, info)));
const refusal = encode(checkResultCodec(parameters), { kind: "fails", check: "presign/2 Πaff-g of D" });

export const checkDecoders: readonly Decoder[] = [
  decoder("checks/job.ts jobCodec", jobCodec(parameters), jobs, { bent: 1000 }),
  decoder("checks/check-result.ts checkResultCodec", checkResultCodec(parameters), [...verdicts, refusal]),
];
