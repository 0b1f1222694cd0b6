/** The bundler and the tests hand an HTML file over as its text. */
declare module '*.html' {
  const text: string;
  export default text;
}
