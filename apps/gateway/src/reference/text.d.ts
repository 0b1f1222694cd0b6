/** Declares imports of Markdown and styles, which the bundler and the tests load as text. */
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.css' {
  const text: string;
  export default text;
}
