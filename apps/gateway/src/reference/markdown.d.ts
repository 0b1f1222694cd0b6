/** Declares Markdown imports, which the bundler and the tests load as text. */
declare module '*.md' {
  const text: string;
  export default text;
}
