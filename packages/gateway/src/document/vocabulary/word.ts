/** The meaning of a property or a parameter: a sentence, and an example of a value. */
export type Word = readonly [says: string, example?: unknown];

/**
 * Words by the name of what they describe. A name means one thing everywhere; where it does not, the entry is `holder.name`: of a
 * component, of an operation's body, of another property, or of the variant (`kind`) that holds it.
 */
export type Vocabulary = Readonly<Record<string, Word>>;
