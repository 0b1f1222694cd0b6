/** Markdown table of spreadsheet columns, for the API description. */
export const COLUMNS_TABLE = `| Column | Value |
|---|---|
| \`{{1}}\` or \`1\`, \`{{first_name}}\` | variable of the body |
| \`header {{1}}\` or \`header 1\`, \`header {{first_name}}\` | variable of a text header |
| \`header link\` or \`header media\` | the header's image, video, GIF or document: a public https URL, or the \`id\` of an uploaded file |
| \`header filename\` | file name of the header's document; optional |
| \`header latitude\`, \`header longitude\` | location of the header, in degrees |
| \`header name\`, \`header address\` | name and address of that location; optional |
| \`header product\`, \`header catalog\` | ID of the header's product in its catalog, and ID of that catalog |
| \`offer end\` | end of a limited-time offer: a time with a time zone, such as \`2030-01-31T18:00:00Z\`, or milliseconds since 1970 |
| \`button 1\`, \`button 2\`, … | suffix of the button's URL, or its coupon code; or, optionally, the payload of a quick reply, the token of a flow, or the product whose image a catalog button shows. All buttons are numbered from 1, including those without a variable |
| \`card 1 header link\`, \`card 1 {{1}}\`, \`card 1 button 1\`, … | the same for a carousel card; cards are numbered from 1 |

A spreadsheet cannot send a template whose button opens a list of products.`;
