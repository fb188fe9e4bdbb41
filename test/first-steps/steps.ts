/** A command of the first ten minutes, as a person gives it in a shell. */
export interface Step {
  /** the sentence before it in the document */
  readonly why: string;
  readonly command: string;
  /** a text that its output must have, or the recording fails */
  readonly shows: RegExp;
  /** the exit code; 0 by default */
  readonly code?: number;
}

/** The first ten minutes at a terminal, in a new clone. */
export const STEPS: readonly Step[] = [
  {
    why: "The first start installs and compiles everything, and makes the signers' moduli.",
    command: "make up DETACH=1",
    shows: /Conclave: any 3 of 5 signers sign together[\s\S]*try-this\.sh/,
  },
  {
    why: "The script that the banner names makes a wallet, funds it, and sends a transfer.",
    command: "sh .conclave/local/try-this.sh",
    shows: /"status":"Confirmed"/,
  },
  {
    why: "The same by commands. Each takes a wallet's name or id.",
    command:
      'export PATH="$PWD/bin:$PATH"; conclave wallet create --network EthereumSepolia --wallet-name till',
    shows: /till/,
  },
  { why: "", command: "conclave fund till", shows: /gets 10 coins on EthereumSepolia/ },
  {
    why: "",
    command: "conclave transfer --from till --to 0x00000000000000000000000000000000c0ffee00 --amount 0.5",
    shows: /Confirmed/,
  },
  {
    why: "A signer is stopped, and the status says so.",
    command: "make stop PROCESS=signer-2 && make status",
    shows: /signer-2 .*stopped by an order/,
  },
  {
    why: "Any three others sign.",
    command: "conclave transfer --from till --to 0x00000000000000000000000000000000c0ffee00 --amount 0.25",
    shows: /Confirmed/,
  },
  { why: "It comes back.", command: "make start PROCESS=signer-2", shows: /signer-2 runs/ },
  {
    why: "A mistake is one sentence with its remedy, and changes nothing.",
    command: "conclave transfer --from nobody --to 0x00000000000000000000000000000000c0ffee00 --amount 1",
    shows: /\n.+/,
    code: 1,
  },
  {
    why: "The cluster stops; its state stays for the next `make up`, which takes seconds.",
    command: "make down",
    shows: /stopped|down/,
  },
];
