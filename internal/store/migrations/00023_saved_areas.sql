-- +goose Up
-- A user's bookmarks of areas, in the user's order.
CREATE TABLE saved_area (
  user_id TEXT NOT NULL REFERENCES app_user (id),
  area_id TEXT NOT NULL REFERENCES area (id),
  place INTEGER NOT NULL,
  PRIMARY KEY (user_id, area_id)
);

-- +goose Down
DROP TABLE saved_area;
