import { isTest, type SourceFile, withoutComments } from "./source-files.ts";

/** The name of a chain family in an identifier or a string, in any usual case. */
const NAME =
  /(?<![A-Za-z])(?:evm|algorand|bitcoin|solana|stellar|tron|xrpl)(?![a-z])|(?:Evm|Algorand|Bitcoin|Solana|Stellar|Tron|Xrpl)(?![a-z])|(?<![A-Z])(?:EVM|ALGORAND|BITCOIN|SOLANA|STELLAR|TRON|XRPL)(?![A-Z])/;
const OWN_FOLDER = /\/(?:evm|algorand|bitcoin|solana|stellar|tron|xrpl)\//;

/** The source files outside the families' own folders whose code names a family; comments may name families. */
export const filesThatNameFamilies = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => !isTest(path) && !OWN_FOLDER.test(path))
    .filter(({ text }) => NAME.test(withoutComments(text)))
    .map(({ path }) => path)
    .sort();
