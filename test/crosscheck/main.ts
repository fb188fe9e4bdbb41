// `make crosscheck`: compares our library with the Rust crate cggmp24, another implementation of the same protocol. The crate
// signs with shares and auxiliary information that our library makes; with the same presignatures, both must give the same
// partial signatures. First at reduced sizes, then at production sizes. Prints a table. INSECURE: whole keys exist in this
// process, and presignatures are used twice; all are made for this run only.
import { makeAuxiliaryPrimes } from "@conclave/platform/primes";
import { type AuxiliaryPrimes, type Parameters, PRODUCTION_PARAMETERS, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import { insecureAuxiliaryPrimes } from "@conclave/threshold/testing";
import { acceptedShares } from "./accepted-shares.ts";
import { askCrate, buildCrateProgram, type CrateNumbers } from "./crate-program.ts";
import { crateSignatures } from "./crate-signatures.ts";
import { makeHolders, PARTIES } from "./holders.ts";
import { samePartials } from "./same-partials.ts";
import { type Outcome, outcomesOf, type SizeOutcomes, tableOfOutcomes } from "./table.ts";
import { wrongInput } from "./wrong-input.ts";

const say = (words: string): void => void process.stderr.write(`crosscheck: ${words}\n`);

/** Parameters, and the source of their primes. */
interface Size {
  readonly parameters: Parameters;
  readonly makePrimes: (party: number) => Promise<Secret<AuxiliaryPrimes>>;
}

const SIZES: readonly Size[] = [
  {
    parameters: INSECURE_TEST_PARAMETERS,
    makePrimes: async (party) => new Secret(insecureAuxiliaryPrimes(party)),
  },
  { parameters: PRODUCTION_PARAMETERS, makePrimes: () => makeAuxiliaryPrimes(PRODUCTION_PARAMETERS) },
];

const nameOf = ({ primeBits }: Parameters): string => `${2 * primeBits} bits`;

/**
 * Compares the crate's parameters with ours. The crate repeats its proofs of moduli equally often at every level, so the
 * repetitions are compared for production only.
 */
const numbersOutcome = (ours: Parameters, theirs: CrateNumbers): Outcome => {
  const names = ["primeBits", "modulusBitsMin", "ell", "epsilon", "ellPrime"] as const;
  const compared = ours === PRODUCTION_PARAMETERS ? ([...names, "iterations"] as const) : names;
  const flaws = compared.flatMap((name) =>
    ours[name] === theirs[name] ? [] : [`${name} is ${ours[name]} here, and ${theirs[name]} in the crate`],
  );
  return { name: "has our numbers of the level", tried: compared.length, flaws, ms: 0 };
};

const trySize = async (program: string, { parameters, makePrimes }: Size): Promise<SizeOutcomes> => {
  const began = performance.now();
  const size = nameOf(parameters);
  say(`${size}: five holders make a key and auxiliary information`);
  const primes = new Map<(typeof PARTIES)[number], Secret<AuxiliaryPrimes>>();
  for (const party of PARTIES) primes.set(party, await makePrimes(party));
  const holders = makeHolders(parameters, primes);
  say(`${size}: every three of them presign by our library`);
  const trials = [
    ...acceptedShares(holders),
    ...samePartials(holders),
    ...crateSignatures(holders),
    ...wrongInput(holders),
  ];
  say(`${size}: the crate does the same`);
  const { numbers, answers } = await askCrate(
    program,
    parameters.name,
    trials.map(({ task }) => task),
  );
  const outcomes = [numbersOutcome(parameters, numbers), ...outcomesOf(trials, answers)];
  return { size, outcomes, ms: performance.now() - began };
};

const main = async (): Promise<number> => {
  const program = await buildCrateProgram();
  const found: SizeOutcomes[] = [];
  for (const size of SIZES) found.push(await trySize(program, size));
  process.stdout.write(`${tableOfOutcomes(found)}\n`);
  const all = found.flatMap(({ outcomes }) => outcomes);
  const bad = all.filter(({ flaws }) => flaws.length > 0).length;
  say(bad === 0 ? "all as it should be" : `${bad} of ${all.length} lines are not as they should be`);
  return bad === 0 ? 0 : 1;
};

process.exitCode = await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  return 1;
});
