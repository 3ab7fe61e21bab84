// The box: a case for a Raspberry Pi 4 or 5 with its buttons and a lamp a seat in its lid.
// Measures in millimetres. `make stl` fills in the numbers of lamps from the configuration.

buttons = 4;          // five with the one for a copy
lamps = 5;            // seats
status = true;        // a hole for the status lamp
buzzer = true;        // slots above the buzzer
part = "both";        // "base", "lid", or "both" side by side

button_hole = 12.2;   // panel buttons with a thread of 12 mm
lamp_hole = 5.2;      // LEDs of 5 mm, or 8.2 for a holder
pitch = 24;           // between two buttons or two lamps
wall = 2.4;
floor_h = 2.4;
inner_h = 42;         // room for the buttons' bodies above the Pi
play = 0.3;           // around what has to fit

// Raspberry Pi 4 and 5: board, mounting holes, openings of the long and the short side.
pi = [85, 56];
pi_holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]];
standoff_h = 5;
screw = 2.2;          // self-tapping M2.5

inner = [max(pi[0] + 10, pitch * max(buttons, lamps) + 6), pi[1] + 22];
outer = [inner[0] + 2 * wall, inner[1] + 2 * wall];
// The Pi's corner: its long side of sockets at the front, network and USB at the right wall.
origin = [outer[0] - wall - 3.5 - pi[0], wall + 1.5];

$fn = 48;

module rounded(size, h, r = 4) {
    linear_extrude(h) offset(r) offset(-r) square(size);
}

module posts(h, hole) {   // four posts for the lid's screws
    for (x = [wall + 3, outer[0] - wall - 3], y = [outer[1] - wall - 3, wall + 3])
        if (y > outer[1] / 2) translate([x, y]) difference() { cylinder(d = 7, h = h); translate([0, 0, h - 12]) cylinder(d = hole, h = 13); }
}

module base() {
    h = floor_h + inner_h;
    difference() {
        rounded(outer, h);
        translate([wall, wall, floor_h]) rounded(inner, inner_h + 1, 2);
        // sockets of the front: power and two screens, then sound
        translate([origin[0] + 2, -1, floor_h + standoff_h]) cube([58, wall + 2, 9]);
        // network and USB on the right
        translate([outer[0] - wall - 1, origin[1] + 1, floor_h + standoff_h]) cube([wall + 2, 54, 18]);
        // air
        for (i = [0 : 6]) translate([origin[0] + 12 + i * 8, outer[1] / 2 - 10, -1]) cube([3, 26, floor_h + 2]);
        // the cable of camera and lamps leaves at the back
        translate([outer[0] / 2 - 12, outer[1] - wall - 1, h - 6]) cube([24, wall + 2, 7]);
    }
    for (at = pi_holes) translate([origin[0] + at[0], origin[1] + at[1], floor_h]) difference() {
        cylinder(d = 6, h = standoff_h);
        cylinder(d = screw, h = standoff_h + 1);
    }
    posts(h, screw);
}

module lid() {
    middle = outer[0] / 2;
    difference() {
        union() {
            rounded(outer, wall);
            // a rim that holds the lid in place, open where the posts are
            translate([wall + play, wall + play, -3]) difference() {
                rounded([inner[0] - 2 * play, inner[1] - 2 * play], 3, 2);
                translate([1.8, 1.8, -1]) rounded([inner[0] - 2 * play - 3.6, inner[1] - 2 * play - 3.6], 5, 2);
                for (x = [-1, inner[0] - 11]) translate([x, inner[1] - 12, -1]) cube([12, 14, 5]);
            }
        }
        for (i = [0 : buttons - 1]) translate([middle + (i - (buttons - 1) / 2) * pitch, 22, -1]) cylinder(d = button_hole, h = wall + 2);
        for (i = [0 : lamps - 1]) translate([middle + (i - (lamps - 1) / 2) * pitch, 48, -1]) cylinder(d = lamp_hole, h = wall + 2);
        if (status) translate([middle, 66, -1]) cylinder(d = lamp_hole, h = wall + 2);
        if (buzzer) for (i = [-2 : 2]) translate([middle - 30 + i * 3, 61, -1]) cube([1.4, 10, wall + 2]);
        for (x = [wall + 3, outer[0] - wall - 3]) translate([x, outer[1] - wall - 3, -1]) cylinder(d = 2.9, h = wall + 2);
    }
}

if (part != "lid") base();
if (part == "lid") translate([0, outer[1], wall]) rotate([180, 0, 0]) lid();
if (part == "both") translate([0, 2 * outer[1] + 8, wall]) rotate([180, 0, 0]) lid();
