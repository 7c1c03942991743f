/* glyphs.c - glyphs as a texture of coverage, and pictures as PNG files, both by cairo.
 * Any thread. */
#include "view/view.h"

#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FONT_SIZE 13.0 /* [pixels] */

/* --- Letters -------------------------------------------------------------------------------------------------------------- */

static void encode(uint32_t code, char text[3])
{
	memset(text, 0, 3);
	if (code < 0x80) {
		text[0] = (char)code;
	} else { /* GLYPHS is below 0x800: two bytes are enough */
		text[0] = (char)(0xC0 | code >> 6);
		text[1] = (char)(0x80 | (code & 0x3F));
	}
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

static void font_select(cairo_t *cairo)
{
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_select_font_face(cairo, "monospace", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cairo, FONT_SIZE);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
	cairo_set_font_options(cairo, options);
	cairo_font_options_destroy(options);
}

static void draw_cells(cairo_t *cairo, const struct glyphs *glyphs, double ascent)
{
	for (uint32_t code = 0; code < GLYPHS; ++code) {
		int x = (int)(code % GLYPH_COLUMNS) * glyphs->cell_width, y = (int)(code / GLYPH_COLUMNS) * glyphs->cell_height;
		char text[3];
		if (code == CELL_FULL) {
			cairo_rectangle(cairo, x, y, glyphs->cell_width, glyphs->cell_height);
			cairo_fill(cairo);
		} else if (code == CELL_MISSING) {
			cairo_set_line_width(cairo, 1.0);
			cairo_rectangle(cairo, x + 1.5, y + 3.5, glyphs->cell_width - 3, glyphs->cell_height - 7);
			cairo_stroke(cairo);
		} else if (!is_control(code)) {
			encode(code, text);
			cairo_save(cairo);
			cairo_rectangle(cairo, x, y, glyphs->cell_width, glyphs->cell_height);
			cairo_clip(cairo);
			cairo_move_to(cairo, x, y + ascent);
			cairo_show_text(cairo, text);
			cairo_restore(cairo);
		}
	}
}

static void copy_pixels(struct glyphs *glyphs, cairo_surface_t *surface)
{
	cairo_surface_flush(surface);
	const unsigned char *from = cairo_image_surface_get_data(surface);
	int stride = cairo_image_surface_get_stride(surface);
	glyphs->pixels = from ? malloc((size_t)glyphs->width * (size_t)glyphs->height) : NULL;
	for (int y = 0; glyphs->pixels && y < glyphs->height; ++y)
		memcpy(glyphs->pixels + (size_t)y * (size_t)glyphs->width, from + (ptrdiff_t)y * stride, (size_t)glyphs->width);
}

struct glyphs glyphs_create(void)
{
	struct glyphs glyphs = {NULL, 0, 0, 0, 0};
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
	cairo_t *cairo = cairo_create(surface);
	cairo_font_extents_t font;
	cairo_text_extents_t letter;
	font_select(cairo);
	cairo_font_extents(cairo, &font);
	cairo_text_extents(cairo, "M", &letter);
	cairo_destroy(cairo);
	cairo_surface_destroy(surface);

	glyphs.cell_width = (int)ceil(fmax(letter.x_advance, 4.0));
	glyphs.cell_height = (int)ceil(fmax(font.ascent + font.descent, 8.0));
	glyphs.width = GLYPH_COLUMNS * glyphs.cell_width;
	glyphs.height = GLYPHS / GLYPH_COLUMNS * glyphs.cell_height;
	surface = cairo_image_surface_create(CAIRO_FORMAT_A8, glyphs.width, glyphs.height);
	cairo = cairo_create(surface);
	font_select(cairo);
	draw_cells(cairo, &glyphs, ceil(font.ascent));
	cairo_destroy(cairo);
	copy_pixels(&glyphs, surface);
	cairo_surface_destroy(surface);
	return glyphs;
}

void glyphs_free(struct glyphs *glyphs)
{
	free(glyphs->pixels);
	glyphs->pixels = NULL;
}

int glyph_next(const char **text, const char *end)
{
	const unsigned char *at = (const unsigned char *)*text;
	size_t left = (size_t)(end - *text);
	size_t length = at[0] < 0x80        ? 1
		: at[0] >= 0xC2 && at[0] < 0xE0 ? 2
		: at[0] >= 0xE0 && at[0] < 0xF0 ? 3
		: at[0] >= 0xF0 && at[0] < 0xF5 ? 4
										: 0;
	bool good = length > 0 && length <= left;
	for (size_t i = 1; good && i < length; ++i)
		good = (at[i] & 0xC0) == 0x80;
	*text += good ? length : 1;
	uint32_t code = !good || length > 2 ? CELL_MISSING : length == 1 ? at[0] : (at[0] & 0x1FU) << 6 | (at[1] & 0x3FU);
	return code < GLYPHS && !is_control(code) ? (int)code : CELL_MISSING;
}

/* --- Files ---------------------------------------------------------------------------------------------------------------- */

const char *png_write(const char *path, const unsigned char *pixels, int width, int height)
{
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	cairo_status_t status = cairo_surface_status(surface);
	if (status == CAIRO_STATUS_SUCCESS) {
		unsigned char *to = cairo_image_surface_get_data(surface);
		int stride = cairo_image_surface_get_stride(surface);
		for (int y = 0; y < height; ++y)
			for (int x = 0; x < width; ++x, pixels += 3) {
				uint32_t pixel = (uint32_t)pixels[0] << 16 | (uint32_t)pixels[1] << 8 | pixels[2];
				memcpy(to + (ptrdiff_t)y * stride + (ptrdiff_t)x * 4, &pixel, 4);
			}
		cairo_surface_mark_dirty(surface);
		status = cairo_surface_write_to_png(surface, path);
	}
	cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}
