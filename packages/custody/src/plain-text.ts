/** Whether PostgreSQL, JSON and UTF-8 all hold the text as it is: no NUL and no half surrogate pairs. */
export const isPlainText = (text: string): boolean => !text.includes("\0") && !/\p{Surrogate}/u.test(text);
